//! The files of the page: embedded and compressed, or read from a folder while developing.

use std::path::{Component, Path, PathBuf};

use axum::{
    body::Body,
    http::{HeaderMap, Response, StatusCode, header},
};

/// One file of the page as the build packed it.
pub(crate) struct Embedded {
    pub(crate) path: &'static str,
    pub(crate) gz: &'static [u8],
    pub(crate) tag: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Where the page comes from.
#[derive(Clone, Debug)]
pub(crate) enum Assets {
    /// The files inside the program.
    Embedded,
    /// A folder on disk, read afresh for every request.
    Folder(PathBuf),
}

impl Assets {
    /// Answers a request for a path of the page; `/` is the page itself.
    pub(crate) fn get(&self, path: &str, headers: &HeaderMap) -> Response<Body> {
        let path = if path == "/" { "/index.html" } else { path };
        match self {
            Assets::Embedded => match FILES.iter().find(|file| file.path == path) {
                Some(file) => embedded(file, headers),
                None => not_found(),
            },
            Assets::Folder(folder) => from_folder(folder, path),
        }
    }
}

fn embedded(file: &Embedded, headers: &HeaderMap) -> Response<Body> {
    let response = Response::builder()
        .header(header::CONTENT_TYPE, media_type(file.path))
        .header(header::ETAG, file.tag)
        .header(header::CACHE_CONTROL, "no-cache")
        .header(header::VARY, "accept-encoding");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag == file.tag);
    let built = if known {
        response.status(StatusCode::NOT_MODIFIED).body(Body::empty())
    } else {
        // Every browser takes gzip; a client that does not say so gets it all the same.
        response.header(header::CONTENT_ENCODING, "gzip").body(Body::from(file.gz))
    };
    built.unwrap_or_else(|_| not_found())
}

fn from_folder(folder: &Path, path: &str) -> Response<Body> {
    let relative = Path::new(path.trim_start_matches('/'));
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    match plain.then(|| std::fs::read(folder.join(relative))) {
        Some(Ok(bytes)) => Response::builder()
            .header(header::CONTENT_TYPE, media_type(path))
            .header(header::CACHE_CONTROL, "no-store")
            .body(Body::from(bytes))
            .unwrap_or_else(|_| not_found()),
        _ => not_found(),
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn not_found() -> Response<Body> {
    let mut response = Response::new(Body::from("There is no such page.\n"));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the page as served, in one language: all of it, or what `main.js` needs at once.
    fn bytes(language: &str, wanted: impl Fn(&str) -> bool) -> usize {
        let words = [format!("/lang/{language}.js"), format!("/lang/more/{language}.js")];
        let files = FILES.iter().filter(|file| {
            let is_ours = !file.path.starts_with("/lang/") || words.iter().any(|w| w == file.path);
            is_ours && wanted(file.path)
        });
        files.map(|file| file.gz.len()).sum()
    }

    /// The scripts that a script imports, and theirs; imports in functions come later.
    fn imported(path: &str, found: &mut Vec<String>) {
        if found.iter().any(|known| known == path) {
            return;
        }
        found.push(path.to_owned());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let text = std::fs::read_to_string(folder.join(path.trim_start_matches('/'))).unwrap();
        for import in format!("\n{text}").split("\nimport ").skip(1) {
            let target = import.split('"').nth(1).unwrap();
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in target.split('/') {
                match part {
                    "." => {}
                    ".." => drop(parts.pop()),
                    _ => parts.push(part),
                }
            }
            imported(&parts.join("/"), found);
        }
    }

    #[test]
    fn the_page_is_small_in_every_language() {
        let mut first =
            vec!["/index.html".to_owned(), "/style.css".to_owned(), "/icon.svg".to_owned()];
        imported("/main.js", &mut first);
        assert!(first.iter().any(|path| path == "/play/page.js"));
        for language in ["en", "zh-CN", "zh-TW", "ja", "ko", "ru", "vi"] {
            assert!(FILES.iter().any(|file| file.path == format!("/lang/{language}.js")));
            let words = format!("/lang/{language}.js");
            let load = bytes(language, |path| path == words || first.iter().any(|one| one == path));
            let all = bytes(language, |_| true);
            assert!(load > 20_000 && all > load, "{language}: {load} {all}");
            assert!(load <= 60_000, "first load in {language}: {load} bytes");
            assert!(all <= 140_000, "all pages in {language}: {all} bytes");
        }
    }

    #[test]
    fn a_path_out_of_the_folder_is_not_found() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        assert_eq!(from_folder(&folder, "/index.html").status(), StatusCode::OK);
        for path in ["/../Cargo.toml", "/js/../../Cargo.toml", "//etc/passwd", "/"] {
            assert_eq!(from_folder(&folder, path).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
