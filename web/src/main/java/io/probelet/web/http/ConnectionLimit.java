package io.probelet.web.http;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which connections a server keeps. Each has a place in one of three pools: those that wait
 * for their client, those that are answered, and those that are answered about health. So neither
 * silent clients nor slow readers take a place from a health probe.
 *
 * <p>A new connection always gets a place. In a full pool one that waits for its client gives way:
 * of the address with the most places, one that has its answer already, else the oldest. So an
 * address that holds all places loses its own to any other address, and its old ones to its new
 * ones. Safe for use by several threads.
 */
final class ConnectionLimit<C> {
  /** Health requests at once. Each is answered within milliseconds, so this holds a burst. */
  static final int MAX_HEALTH = 256;

  private final SequencedMap<C, Held> connections = new LinkedHashMap<>();
  private final Map<Pool, Integer> places;
  private final Consumer<C> closer;

  private enum Pool {
    WAITING,
    ANSWERED,
    HEALTH
  }

  private enum Phase {
    /** The request, TLS included, is not complete. */
    REQUESTING(Pool.WAITING, true),
    /** The answer is sent; the client has not finished its request or closed. */
    FINISHED(Pool.WAITING, true),
    /** The server makes the answer: to end that would not end the work. */
    MAKING(Pool.ANSWERED, false),
    /** The client has gone or was refused, and the server still makes the answer. */
    ABANDONED(Pool.ANSWERED, false),
    /** The client reads the answer. */
    SENDING(Pool.ANSWERED, true),
    /** The answer is shared and small, so that no work of this one's own would go on. */
    HEALTH(Pool.HEALTH, true);

    private final Pool pool;
    private final boolean givesWay;

    Phase(Pool pool, boolean givesWay) {
      this.pool = pool;
      this.givesWay = givesWay;
    }
  }

  /**
   * A place.
   *
   * @param works answers in progress for it: one, or two for a moment when a client sends another
   *     request
   */
  private record Held(Object address, Phase phase, int works) {
    Held in(Phase next) {
      return new Held(address, next, works);
    }

    /** {@return the same with more works, or fewer} */
    Held with(int more) {
      return new Held(address, phase, works + more);
    }
  }

  /**
   * Creates a limit without connections.
   *
   * @param closer closes a connection that gives way; it has lost its place already
   */
  ConnectionLimit(HttpLimits limits, Consumer<C> closer) {
    places =
        Map.of(
            Pool.WAITING, limits.waiting(),
            Pool.ANSWERED, limits.answered(),
            Pool.HEALTH, MAX_HEALTH);
    this.closer = closer;
  }

  /**
   * Takes a new connection, which may cost another its place.
   *
   * @param address of the client; clients with equal addresses share places
   */
  void connected(C connection, Object address) {
    Optional<C> closed;
    synchronized (this) {
      connections.put(connection, new Held(address, Phase.REQUESTING, 0));
      closed = makeRoom(Pool.WAITING, connection);
    }
    closed.ifPresent(closer);
  }

  /** Counts a request, which may cost another its place; returns whether it may be answered. */
  boolean asks(C connection, boolean forHealth) {
    Optional<C> closed;
    boolean allowed;
    synchronized (this) {
      Held held = connections.get(connection);
      if (held == null || held.phase() != Phase.REQUESTING) {
        return false;
      }
      Phase next = forHealth ? Phase.HEALTH : Phase.MAKING;
      connections.put(connection, held.in(next).with(forHealth ? 0 : 1));
      closed = makeRoom(next.pool, connection);
      allowed = fits(next.pool);
      if (!allowed) {
        connections.put(connection, held);
      }
    }
    closed.ifPresent(closer);
    return allowed;
  }

  /** Records that the client can read the first of its answer. */
  synchronized void sending(C connection) {
    connections.computeIfPresent(
        connection, (_, held) -> held.phase() == Phase.MAKING ? held.in(Phase.SENDING) : held);
  }

  /** Records that a connection has been answered and may ask again. */
  void answered(C connection) {
    returns(connection, Phase.REQUESTING);
  }

  /** Records that a connection has been answered, and that its client has not ended it. */
  void finished(C connection) {
    returns(connection, Phase.FINISHED);
  }

  private void returns(C connection, Phase phase) {
    Optional<C> closed = Optional.empty();
    synchronized (this) {
      Held held = connections.get(connection);
      if (held != null && held.phase() != Phase.ABANDONED) {
        connections.remove(connection);
        connections.put(connection, held.in(phase)); // the youngest
        closed = makeRoom(phase.pool, null);
      }
    }
    closed.ifPresent(closer);
  }

  /** Records that a client is refused whose answer is still being made. */
  synchronized void late(C connection) {
    connections.computeIfPresent(
        connection, (_, held) -> held.phase() == Phase.MAKING ? held.in(Phase.ABANDONED) : held);
  }

  /**
   * Records that a connection has ended; a second call has no effect. An answer that is being made
   * for it keeps its place until {@link #made}: clients that hang up would otherwise start any
   * number of them.
   */
  synchronized void ended(C connection) {
    connections.computeIfPresent(
        connection, (_, held) -> held.works() > 0 ? held.in(Phase.ABANDONED) : null);
  }

  /**
   * Records that an answer has been made, or will not be; the connection may have ended meanwhile.
   * To be called once for each request that may be answered, those about health apart.
   */
  synchronized void made(C connection) {
    connections.computeIfPresent(
        connection,
        (_, held) -> held.phase() == Phase.ABANDONED && held.works() <= 1 ? null : held.with(-1));
  }

  private boolean fits(Pool pool) {
    long taken = connections.values().stream().filter(held -> held.phase().pool == pool).count();
    return taken <= places.getOrDefault(pool, 0);
  }

  /** {@return the connection that lost its place, if the pool was too full and one gives way} */
  private Optional<C> makeRoom(Pool pool, @Nullable C spared) {
    if (fits(pool)) {
      return Optional.empty();
    }
    Map<Object, Integer> shares = new HashMap<>();
    for (Held held : connections.values()) {
      if (held.phase().pool == pool) {
        shares.merge(held.address(), 1, Integer::sum);
      }
    }
    @Nullable C chosen = null;
    int most = 0;
    for (Map.Entry<C, Held> each : connections.entrySet()) { // the oldest first
      Held held = each.getValue();
      if (held.phase().pool == pool && held.phase().givesWay && !each.getKey().equals(spared)) {
        // Doubled, so that being finished decides only within equal shares.
        int weight =
            2 * shares.getOrDefault(held.address(), 0) + (held.phase() == Phase.FINISHED ? 1 : 0);
        if (weight > most) {
          most = weight;
          chosen = each.getKey();
        }
      }
    }
    Optional<C> closed = Optional.ofNullable(chosen);
    closed.ifPresent(connections::remove);
    return closed;
  }
}
