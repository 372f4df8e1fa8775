package io.probelet.agent.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Who may be connected at once. So many connections may be answered, and there may be some more for
 * those that ask whether the agent is well. Whoever connects when all are taken takes the place of
 * the one that has been silent longest: a client that says at once what it wants gets in, however
 * many others hold connections and say nothing. Safe for use by several threads.
 *
 * @param <C> a connection
 */
final class ConnectionLimit<C> {
  private final SequencedMap<C, Phase> connections = new LinkedHashMap<>();
  private final int maxConnections;
  private final int maxAnswered;
  private int answered;

  private enum Phase {
    SILENT,
    ANSWERED,
    ASKS_FOR_HEALTH
  }

  /** Creates a limit without connections. */
  ConnectionLimit(HttpLimits limits) {
    maxConnections = limits.connections();
    maxAnswered = limits.answered();
  }

  /**
   * Takes a new connection.
   *
   * @return the connection that has to be closed for its sake; itself if there is no other
   */
  synchronized Optional<C> connected(C connection) {
    Optional<C> closed = Optional.empty();
    if (connections.size() >= maxConnections) {
      closed =
          connections.entrySet().stream()
              .filter(each -> each.getValue() == Phase.SILENT)
              .map(Map.Entry::getKey)
              .findFirst()
              .or(() -> Optional.of(connection));
    }
    connections.put(connection, Phase.SILENT);
    closed.ifPresent(this::ended);
    return closed;
  }

  /** Counts a request; returns whether it may be answered. */
  synchronized boolean asks(C connection, boolean forHealth) {
    if (connections.get(connection) != Phase.SILENT || (!forHealth && answered >= maxAnswered)) {
      return false;
    }
    connections.put(connection, forHealth ? Phase.ASKS_FOR_HEALTH : Phase.ANSWERED);
    answered += forHealth ? 0 : 1;
    return true;
  }

  /** Records that a connection has been answered and may ask again. */
  synchronized void answered(C connection) {
    if (connections.containsKey(connection)) {
      ended(connection);
      connections.put(connection, Phase.SILENT); // behind those that are silent already
    }
  }

  /** Records that a connection has ended; once more does no harm. */
  synchronized void ended(C connection) {
    if (connections.remove(connection) == Phase.ANSWERED) {
      answered--;
    }
  }
}
