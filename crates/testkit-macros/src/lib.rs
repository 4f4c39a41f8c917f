//! `#[db_test]`: runs a test on both engines.

use proc_macro::TokenStream;
use quote::quote;
use syn::{FnArg, ItemFn, parse_macro_input};

/// Turns `async fn name(app: TestApp)` into `name::sqlite` and `name::postgres`. The argument is
/// any `Fixture`; each run gets a new one.
#[proc_macro_attribute]
pub fn db_test(_: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as ItemFn);
    let ItemFn { attrs, sig, block, .. } = &function;
    let name = &sig.ident;
    let Some(FnArg::Typed(argument)) = sig.inputs.first().filter(|_| sig.inputs.len() == 1) else {
        return syn::Error::new_spanned(&sig.inputs, "a db_test takes one fixture")
            .to_compile_error()
            .into();
    };
    let (pattern, fixture) = (&argument.pat, &argument.ty);
    quote! {
        mod #name {
            use super::*;

            async fn body(#pattern: #fixture) #block

            #(#attrs)*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                body(<#fixture as ::grantor_testkit::Fixture>::on(::grantor_testkit::Engine::Sqlite).await)
                    .await;
            }

            #(#attrs)*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                body(<#fixture as ::grantor_testkit::Fixture>::on(::grantor_testkit::Engine::Postgres).await)
                    .await;
            }
        }
    }
    .into()
}
