package io.probelet.probe.grpc;

/** A gRPC health service on loopback that serves. */
public final class ServingHealth implements AutoCloseable {
  private static final int SERVING = 1;

  private final HealthServer server = new HealthServer(HealthServer.status(SERVING));

  /** Starts one. */
  public ServingHealth() {}

  /** {@return where it listens} */
  public int port() {
    return server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
