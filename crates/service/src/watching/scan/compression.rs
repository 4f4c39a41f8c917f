//! Unpacks gzip, which sitemaps and some feeds are served in. A few compressed bytes can stand for
//! any number of bytes, so the result is limited.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

/// Maximum bytes of an unpacked document.
pub(super) const MAX_UNPACKED: usize = 20 * 1024 * 1024;
/// Some servers compress a file that is already compressed.
const MAX_LAYERS: u32 = 2;
const GZIP: &[u8] = b"\x1f\x8b";

/// Unpacks a document if it is compressed. The error message is shown to users.
pub(super) fn unpack(document: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    let mut document = Cow::Borrowed(document);
    for _ in 0..MAX_LAYERS {
        if !document.starts_with(GZIP) {
            return Ok(document);
        }
        document = Cow::Owned(unpack_layer(&document)?);
    }
    if document.starts_with(GZIP) {
        return Err("it is compressed more than twice".to_owned());
    }
    Ok(document)
}

fn unpack_layer(packed: &[u8]) -> Result<Vec<u8>, String> {
    let mut unpacked = Vec::new();
    let limit = MAX_UNPACKED as u64 + 1;
    let read = MultiGzDecoder::new(packed).take(limit).read_to_end(&mut unpacked);
    if unpacked.len() > MAX_UNPACKED {
        let limit = MAX_UNPACKED / (1024 * 1024);
        return Err(format!("it is larger than {limit} MiB when unpacked"));
    }
    read.map_err(|_| "it is not a valid gzip file".to_owned())?;
    Ok(unpacked)
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    pub(in crate::watching::scan) fn pack(document: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(document).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_documents_are_unpacked() {
        let text = b"<urlset></urlset>";
        let twice = pack(&pack(text));
        let parts = [pack(b"<urlset>"), pack(b"</urlset>")].concat();
        for document in [text.to_vec(), pack(text), twice.clone(), parts] {
            assert_eq!(&*unpack(&document).unwrap(), text);
        }
        assert_eq!(unpack(&pack(&twice)).unwrap_err(), "it is compressed more than twice");
        assert_eq!(&*unpack(b"").unwrap(), b"");
    }

    #[test]
    fn bombs_and_noise_are_refused() {
        let bomb = pack(&vec![0; MAX_UNPACKED + 1]);
        assert!(bomb.len() < 100 * 1024);
        assert_eq!(unpack(&bomb).unwrap_err(), "it is larger than 20 MiB when unpacked");
        assert_eq!(unpack(&pack(&bomb)).unwrap_err(), "it is larger than 20 MiB when unpacked");
        let members = pack(&vec![b'a'; 1024 * 1024]).repeat(21);
        assert_eq!(unpack(&members).unwrap_err(), "it is larger than 20 MiB when unpacked");
        assert_eq!(unpack(&pack(&vec![b'a'; MAX_UNPACKED])).unwrap().len(), MAX_UNPACKED);
        let broken = "it is not a valid gzip file";
        let whole = pack(b"<urlset></urlset>");
        for length in 2..whole.len() {
            assert_eq!(unpack(&whole[..length]).unwrap_err(), broken, "{length}");
        }
        let noise: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        assert_eq!(unpack(&[GZIP, &noise].concat()).unwrap_err(), broken);
    }
}
