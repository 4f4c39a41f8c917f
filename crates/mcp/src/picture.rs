//! The form in which a picture is sent to the API.

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine as _};
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::arguments::text;

/// The argument for the picture itself.
pub(crate) const IMAGE: &str = "image";

/// Base64 with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes a picture.
pub(crate) fn decode(base64: &str) -> Result<Vec<u8>, DecodeError> {
    BASE64.decode(base64)
}

/// Makes a form of a picture and the other arguments. The boundary must be unpredictable, so that
/// no picture contains it.
pub(crate) fn form(image: &[u8], others: &JsonObject, boundary: &str) -> Vec<u8> {
    let mut form = Vec::with_capacity(image.len() + 1_024);
    let mut add = |disposition: &str, content: &[u8]| {
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n");
        form.extend_from_slice(head.as_bytes());
        form.extend_from_slice(content);
        form.extend_from_slice(b"\r\n");
    };
    for (name, value) in others {
        // A complex value is sent as JSON, which the API refuses.
        let text = text(value).unwrap_or_else(|_| Some(value.to_string()));
        if let Some(text) = text {
            add(&format!("name=\"{name}\""), text.as_bytes());
        }
    }
    add("name=\"image\"; filename=\"image\"", image);
    form.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    form
}

/// Takes the picture out of the arguments, if there is one.
pub(crate) fn take(arguments: &mut JsonObject) -> Option<Value> {
    arguments.shift_remove(IMAGE).filter(|it| !it.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn base64_may_lack_its_padding() {
        assert_eq!(decode("YQ==").unwrap(), b"a");
        assert_eq!(decode("YQ").unwrap(), b"a");
        assert!(decode("Y Q").is_err() && decode("data:image/png;base64,YQ").is_err());
    }

    #[test]
    fn a_form_has_the_picture_and_the_other_arguments() {
        let others: JsonObject =
            serde_json::from_value(json!({ "image_url": "https://a.example/", "none": null }))
                .unwrap();
        let expected = "--b\r\nContent-Disposition: form-data; name=\"image_url\"\r\n\r\n\
            https://a.example/\r\n--b\r\nContent-Disposition: form-data; name=\"image\"; \
            filename=\"image\"\r\n\r\nPNG\r\n--b--\r\n";
        assert_eq!(String::from_utf8(form(b"PNG", &others, "b")).unwrap(), expected);
    }
}
