package io.probelet.probe.net;

import io.netty.util.NetUtil;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.engine.ProbeLoop.Timer;
import io.probelet.probe.net.Attempt.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One connection in the making: the name is resolved, its addresses are tried. The next address is
 * tried as soon as one fails, or beside it after 300 ms without an answer; the first to connect
 * wins.
 */
final class Dial {
  /** How long one address is tried alone; the delay Go uses between address families. */
  private static final Duration HEAD_START = Duration.ofMillis(300);

  private final String network;
  private final NetLoop loop;
  private final Attempt attempt;
  private final Endpoint endpoint;
  private final BiFunction<Endpoint, InetSocketAddress, ProbeConnection> opener;
  private final Phase next;
  private final ProbeConnection.Listener listener;

  /** Connections under way; in the end only the one that won. */
  private final List<ProbeConnection> connections = new ArrayList<>(1);

  private List<InetAddress> addresses = List.of();
  private int tried;
  private @Nullable Timer headStart;
  private @Nullable NetFailure failure;
  private boolean settled;

  /**
   * Creates a dial; it starts later.
   *
   * @param network tcp or udp, for messages
   * @param opener opens a connection to the endpoint at an address; throws a RuntimeException if
   *     the machine is short of resources
   * @param next the phase that the attempt enters once it is connected
   * @param listener takes the connection or why there is none
   */
  Dial(
      String network,
      NetLoop loop,
      Attempt attempt,
      Endpoint endpoint,
      BiFunction<Endpoint, InetSocketAddress, ProbeConnection> opener,
      Phase next,
      ProbeConnection.Listener listener) {
    this.network = network;
    this.loop = loop;
    this.attempt = attempt;
    this.endpoint = endpoint;
    this.opener = opener;
    this.next = next;
    this.listener = listener;
  }

  void start(NameResolver names) {
    attempt.restart(Phase.RESOLVING, new Release());
    InetAddress literal = endpoint.literal();
    if (literal == null) {
      loop.await(attempt, names.resolve(endpoint.host()), this::resolved, this::unresolved);
    } else {
      attempt.skipTo(Phase.CONNECTING);
      addresses = List.of(literal);
      connectNext();
    }
  }

  private void resolved(List<InetAddress> found) {
    attempt.enter(Phase.CONNECTING);
    addresses = found;
    connectNext();
  }

  private void unresolved(Throwable cause) {
    if (cause instanceof RejectedExecutionException) {
      fail(
          new NetFailure(
              Reason.LOCAL_SHORTAGE,
              "dial "
                  + network
                  + ": lookup "
                  + endpoint.host()
                  + ": too many pending name lookups"));
      return;
    }
    String what =
        cause instanceof UnknownHostException ? "no such host" : String.valueOf(cause.getMessage());
    fail(new NetFailure(null, "dial " + network + ": lookup " + endpoint.host() + ": " + what));
  }

  private void connectNext() {
    cancelHeadStart();
    InetSocketAddress remote = new InetSocketAddress(addresses.get(tried++), endpoint.port());
    ProbeConnection connection;
    try {
      connection = opener.apply(endpoint, remote);
    } catch (RuntimeException noSocket) {
      refused(remote, SocketErrors.failure("", noSocket));
      return;
    }
    connections.add(connection);
    connection.connect(remote, new Try(connection, remote));
    if (!settled && tried < addresses.size() && connections.contains(connection)) {
      headStart = loop.schedule(HEAD_START, () -> attempt.guard(this::connectNext));
    }
  }

  /** Takes what became of one address, and hands over what won. */
  private final class Try implements ProbeConnection.Listener, Runnable {
    private final ProbeConnection connection;
    private final InetSocketAddress remote;

    Try(ProbeConnection connection, InetSocketAddress remote) {
      this.connection = connection;
      this.remote = remote;
    }

    @Override
    public void connected(ProbeConnection winner) {
      if (settled) {
        return; // too late, and about to be closed
      }
      settled = true;
      cancelHeadStart();
      dropAllBut(winner);
      attempt.guard(this);
      if (!attempt.over()) {
        winner.read();
      }
    }

    @Override
    public void run() {
      attempt.enter(next);
      listener.connected(connection);
    }

    @Override
    public void failed(NetFailure reason) {
      connections.remove(connection);
      if (!settled) {
        attempt.guard(() -> Dial.this.refused(remote, reason));
      }
    }
  }

  private void refused(InetSocketAddress remote, NetFailure reason) {
    // The target's own refusal outweighs a family of addresses this machine cannot use.
    if (failure == null || failure.fault() != null) {
      String address = NetUtil.toAddressString(remote.getAddress());
      failure =
          reason.in(
              "dial " + network + " " + new Endpoint(address, remote.getPort()) + ": connect: ");
    }
    if (tried < addresses.size()) {
      connectNext();
    } else if (connections.isEmpty()) {
      fail(failure);
    }
  }

  private void fail(NetFailure reason) {
    settled = true;
    listener.failed(reason);
  }

  private void cancelHeadStart() {
    if (headStart != null) {
      headStart.cancel();
      headStart = null;
    }
  }

  /**
   * Leaves the losers of a race to be closed once the loop has handed out what epoll reported:
   * among that may be an event of theirs, which a new socket of the same number would then get.
   */
  private void dropAllBut(ProbeConnection winner) {
    if (connections.size() > 1) {
      List<ProbeConnection> losers = new ArrayList<>(connections);
      losers.remove(winner);
      connections.removeAll(losers);
      loop.eventLoop().execute(() -> losers.forEach(ProbeConnection::close));
    }
  }

  /** Run when the attempt ends or continues elsewhere. */
  private final class Release implements Runnable {
    @Override
    public void run() {
      settled = true;
      cancelHeadStart();
      connections.forEach(ProbeConnection::close);
      connections.clear();
    }
  }
}
