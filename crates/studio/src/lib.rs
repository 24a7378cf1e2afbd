//! The local web app: HTTP and WebSocket server, and the page.
