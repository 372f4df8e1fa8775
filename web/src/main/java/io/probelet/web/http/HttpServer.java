package io.probelet.web.http;

/** A server of status, metrics and API, open until it is closed. */
public interface HttpServer extends AutoCloseable {
  /** {@return where it listens, with the port the system chose if it was asked to} */
  ListenAddress address();

  /** Adds a path for new connections. */
  void serve(String path, Resource resource);

  /** Stops accepting requests and aborts those in progress. Not for use on an event loop. */
  @Override
  void close();
}
