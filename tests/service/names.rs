//! Everybody's names in memory.

use std::sync::mpsc;

use grantor_testkit::db_test;
use grantor_testkit::store::PATIENCE;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::license::World;

/// Whoever looks for names in a long text keeps those who write them waiting, but no thread that others
/// need: here there is one for both, and only the other ends the look.
#[db_test]
async fn a_long_look_at_the_names_holds_up_no_thread(world: World) {
    let app = world.app.app.clone();
    let (names, store) = (app.names.clone(), app.store.clone());
    let ((begun, has_begun), (release, held)) = (mpsc::channel(), mpsc::channel::<()>());
    let look = std::thread::spawn(move || {
        names.with_index(|_| {
            begun.send(()).unwrap();
            held.recv()
        })
    });
    let both = tokio::task::spawn_blocking(move || {
        has_begun.recv().unwrap();
        let before = store.statements();
        let other = async {
            while store.statements() == before {
                tokio::task::yield_now().await;
            }
            for _ in 0..10_000 {
                tokio::task::yield_now().await;
            }
            drop(release);
        };
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            tokio::join!(app.names.refresh(&app.store, app.clock.now()), other).0
        })
    });
    timeout(PATIENCE, both).await.expect("nobody waits for ever").unwrap().unwrap();
    look.join().unwrap().unwrap_err();
    let found = world.app.app.names.with_index(grantor_domain::name_index::NameIndex::len);
    assert_eq!(found, 2, "the talent's name and alias");
}
