package io.probelet.agent.diagnose;

import io.probelet.health.FailureReason;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.web.http.LoopServers;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.UnixSocketServer;
import io.probelet.web.part.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects evidence for {@code probelet diagnose}, which asks on a Unix socket in the state folder
 * (ACT-108): a second process that collects it itself needs twice the memory of one that only asks.
 * The socket is open to the agent's user and root, who can read the same evidence without it.
 */
public final class DiagnosePart implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(DiagnosePart.class);

  private final @Nullable UnixSocketServer server;
  private final String note;

  private DiagnosePart(@Nullable UnixSocketServer server, String note) {
    this.server = server;
    this.note = note;
  }

  /**
   * Begins to listen. Without a socket {@code diagnose} collects evidence itself, and this says so.
   *
   * @param servers closed after this
   * @param stateFolder of the agent, which no other uses
   * @param hostRoot the node's root directory as the agent sees it
   * @param evidence collects, and keeps what is to be kept on the node
   */
  public static DiagnosePart open(
      LoopServers servers, Path stateFolder, Path hostRoot, NodeEvidence evidence) {
    Resource alive = query -> Answer.of(200, Resource.TEXT, "ok\n");
    try {
      return new DiagnosePart(
          servers.open(
              stateFolder.resolve(EvidenceRoute.SOCKET),
              Map.of(
                  EvidenceRoute.ALIVE,
                  alive,
                  EvidenceRoute.PATH,
                  new EvidenceRoute(hostRoot, evidence))),
          "");
    } catch (IOException unable) {
      String why = FailureReason.of(unable);
      LOG.warn("diagnose collects evidence in its own process reason=\"{}\"", why);
      return new DiagnosePart(null, "diagnose collects evidence in its own process: " + why);
    }
  }

  @Override
  public String name() {
    return "diagnose";
  }

  @Override
  public String note() {
    return note;
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
