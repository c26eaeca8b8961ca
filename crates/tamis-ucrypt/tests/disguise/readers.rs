//! Inputs that are made while they are read, and inputs that come in drops.

use std::io::{self, Read};

/// A prefix, then a pattern over and over.
pub struct Endless {
    pub prefix: Vec<u8>,
    pub pattern: &'static [u8],
    pub left: usize,
    pub at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left);
        for byte in &mut buffer[..length] {
            let behind = self.at.checked_sub(self.prefix.len());
            *byte = behind.map_or_else(|| self.prefix[self.at], |behind| self.pattern[behind % self.pattern.len()]);
            self.at += 1;
        }
        self.left -= length;
        Ok(length)
    }
}

/// Gives a few bytes at a time, so that every boundary falls everywhere.
pub struct Trickle<'a>(pub &'a [u8], pub usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1).min(self.0.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}
