//! Compressed files, recognised by their first bytes and chosen by their extension.

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

/// How a file is compressed.
///
/// ```
/// use tamis_source::Compression;
/// assert_eq!(Compression::of_path("adult.csv.zst"), Compression::Zstd);
/// assert_eq!(Compression::of_path("adult.csv"), Compression::None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip (RFC 1952), one member or several.
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "uncompressed",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

impl Compression {
    /// What the extension of an output file asks for: `.gz`, `.zst` or neither.
    pub fn of_path(path: impl AsRef<Path>) -> Self {
        let extension = path.as_ref().extension().map(OsStr::to_ascii_lowercase);
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst" | "zstd") => Self::Zstd,
            _ => Self::None,
        }
    }

    /// What the first bytes of a file say, whatever its extension.
    pub(crate) fn of_start(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// Looks at the first bytes and gives the uncompressed text.
pub(crate) fn decompress<'a>(mut file: Box<dyn Read + 'a>) -> io::Result<(Compression, Box<dyn Read + 'a>)> {
    let mut start = Vec::new();
    file.by_ref().take(4).read_to_end(&mut start)?;
    let compression = Compression::of_start(&start);
    let whole = io::Cursor::new(start).chain(file);
    let text: Box<dyn Read + 'a> = match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(MultiGzDecoder::new(whole)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(whole)?),
    };
    Ok((compression, text))
}

/// Writes through a compressor; [`Compressor::finish`] writes the end of the stream.
pub(crate) enum Compressor<W: Write> {
    None(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
    pub(crate) fn new(writer: W, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::None(writer),
            Compression::Gzip => Self::Gzip(GzEncoder::new(writer, flate2::Compression::default())),
            Compression::Zstd => Self::Zstd(zstd::stream::write::Encoder::new(writer, 0)?),
        })
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::None(writer) => Ok(writer),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::None(writer) => writer.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::None(writer) => writer.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
