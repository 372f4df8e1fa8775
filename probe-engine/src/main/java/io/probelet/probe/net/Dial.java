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
import org.jspecify.annotations.Nullable;

/**
 * One connection in the making: the name is resolved, its addresses are tried. The next address is
 * tried as soon as one fails, or beside it after 300 ms without an answer; the first to connect
 * wins.
 *
 * @param <L> what makes the connections
 */
final class Dial<L extends Link> {
  /** How long one address is tried alone; the delay Go uses between address families. */
  private static final Duration HEAD_START = Duration.ofMillis(300);

  private final NetLoop loop;
  private final Attempt attempt;
  private final Endpoint endpoint;
  private final Link.Opener<L> opener;
  private final Ends<L> ends;

  /** Connections under way; in the end only the one that won. */
  private final List<L> links = new ArrayList<>(1);

  private List<InetAddress> addresses = List.of();
  private int tried;
  private @Nullable Timer headStart;
  private @Nullable NetFailure failure;
  private boolean settled;

  Dial(NetLoop loop, Attempt attempt, Endpoint endpoint, Link.Opener<L> opener, Ends<L> ends) {
    this.loop = loop;
    this.attempt = attempt;
    this.endpoint = endpoint;
    this.opener = opener;
    this.ends = ends;
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
              "dial tcp: lookup " + endpoint.host() + ": too many names are being resolved"));
      return;
    }
    String what =
        cause instanceof UnknownHostException ? "no such host" : String.valueOf(cause.getMessage());
    fail(new NetFailure(null, "dial tcp: lookup " + endpoint.host() + ": " + what));
  }

  private void connectNext() {
    cancelHeadStart();
    InetSocketAddress remote = new InetSocketAddress(addresses.get(tried++), endpoint.port());
    L link;
    try {
      link = opener.open(remote);
    } catch (RuntimeException noSocket) {
      refused(remote, SocketErrors.failure("", noSocket));
      return;
    }
    links.add(link);
    link.connect(remote, new Result(link, remote));
    if (!settled && tried < addresses.size() && links.contains(link)) {
      headStart = loop.schedule(HEAD_START, () -> attempt.guard(this::connectNext));
    }
  }

  /**
   * Takes what becomes of a dial.
   *
   * @param <L> what makes the connections
   */
  interface Ends<L> {
    /** It connected. */
    void connected(L link);

    /** It did not. */
    void failed(NetFailure why);
  }

  /** Takes what became of one address, and hands over what won. */
  private final class Result implements Link.Outcome, Runnable {
    private final L link;
    private final InetSocketAddress remote;

    Result(L link, InetSocketAddress remote) {
      this.link = link;
      this.remote = remote;
    }

    @Override
    public void connected() {
      if (settled) {
        return; // too late, and about to be closed
      }
      settled = true;
      cancelHeadStart();
      dropAllBut(link);
      attempt.guard(this);
    }

    @Override
    public void run() {
      ends.connected(link);
    }

    @Override
    public void refused(NetFailure reason) {
      links.remove(link);
      if (!settled) {
        attempt.guard(() -> Dial.this.refused(remote, reason));
      }
    }
  }

  private void refused(InetSocketAddress remote, NetFailure reason) {
    // The target's own refusal outweighs a family of addresses this machine cannot use.
    if (failure == null || failure.fault() != null) {
      String address = NetUtil.toAddressString(remote.getAddress());
      failure = reason.in("dial tcp " + new Endpoint(address, remote.getPort()) + ": connect: ");
    }
    if (tried < addresses.size()) {
      connectNext();
    } else if (links.isEmpty()) {
      fail(failure);
    }
  }

  private void fail(NetFailure reason) {
    settled = true;
    ends.failed(reason);
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
  private void dropAllBut(L winner) {
    if (links.size() > 1) {
      List<L> losers = new ArrayList<>(links);
      losers.remove(winner);
      links.removeAll(losers);
      loop.eventLoop().execute(() -> losers.forEach(Link::close));
    }
  }

  /** Run when the attempt is over or goes on elsewhere. */
  private final class Release implements Runnable {
    @Override
    public void run() {
      settled = true;
      cancelHeadStart();
      links.forEach(Link::close);
      links.clear();
    }
  }
}
