package io.probelet.agent.order;

import io.probelet.monitor.bus.SystemBus;
import java.io.IOException;

/** Connects to the node's D-Bus. */
@FunctionalInterface
public interface BusConnector {
  /**
   * {@return a new connection, to be closed by the caller}
   *
   * @throws IOException if the bus cannot be reached; the message is for the user
   */
  SystemBus connect() throws IOException;
}
