//! The private PostgreSQL that the server starts and owns when no `DATABASE_URL` is given.
