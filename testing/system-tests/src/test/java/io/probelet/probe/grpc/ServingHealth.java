package io.probelet.probe.grpc;

/** A gRPC health service on loopback that reports one status. */
public final class ServingHealth implements AutoCloseable {
  private static final int SERVING = 1;

  private final HealthServer server;

  /** Starts one that serves. */
  public ServingHealth() {
    this(SERVING);
  }

  /**
   * Starts one.
   *
   * @param status of grpc.health.v1, such as 2 for NOT_SERVING
   */
  public ServingHealth(int status) {
    server = new HealthServer(HealthServer.status(status));
  }

  /** {@return where it listens} */
  public int port() {
    return server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
