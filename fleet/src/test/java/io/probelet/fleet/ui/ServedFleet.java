package io.probelet.fleet.ui;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.fleet.DemoCluster;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.ui.simulate.PlayedNodes;
import io.probelet.health.SystemClock;
import io.probelet.web.http.Resource;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The cluster's page of a cluster that is made up, for tests with a browser. */
public final class ServedFleet implements AutoCloseable {
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final UiServer server;
  private volatile FleetView view;

  /**
   * Serves a cluster.
   *
   * @param ill how many of them are not well
   */
  public ServedFleet(int nodes, int ill, String text) throws IOException {
    view = TestFleet.busy(nodes, ill, text);
    server =
        serve(
            UiPages.of(
                () -> view,
                new TestAgents(text),
                PlayedNodes.racks(12),
                null,
                SystemClock.INSTANCE));
  }

  private ServedFleet(DemoCluster cluster) throws IOException {
    view = cluster.view();
    server =
        serve(
            UiPages.of(
                cluster::view,
                new DemoAsked(cluster),
                new FleetToPlay(cluster),
                null,
                DemoCluster.NOTICE,
                SystemClock.INSTANCE));
  }

  /** Serves the cluster of {@code probelet ui --demo}. */
  public static ServedFleet demo() throws IOException {
    return new ServedFleet(new DemoCluster(SystemClock.INSTANCE));
  }

  private UiServer serve(Map<String, Resource> pages) throws IOException {
    return new UiServer(0, loops, pages, new SecureRandom());
  }

  /** The same cluster later. */
  public void become(int nodes, int ill, String text) {
    view = TestFleet.busy(nodes, ill, text);
  }

  /** {@return the address that lets one browser in} */
  public URI address() {
    return URI.create(server.address());
  }

  /** {@return the address of a page, by its path relative to the first page} */
  public URI page(String path) {
    return address().resolve(path.isEmpty() ? "." : path);
  }

  @Override
  public void close() {
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
