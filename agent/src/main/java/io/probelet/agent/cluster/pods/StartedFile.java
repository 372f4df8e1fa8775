package io.probelet.agent.cluster.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.probe.PodRef;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of {@link StartedContainers}, always replaced as a whole. An unreadable file is reported
 * and ignored; startup probes then run again.
 */
final class StartedFile {
  private static final Logger LOG = LoggerFactory.getLogger(StartedFile.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LIST = "containers";

  /** Far above what {@link StartedContainers#MAX_CONTAINERS} come to. */
  static final int MAX_BYTES = 4 << 20;

  private final Path file;
  private boolean complained;

  StartedFile(Path file) {
    this.file = file;
  }

  /** {@return the ids by container, at most so many} */
  Map<StartedContainers.Key, String> read(int most) {
    Map<StartedContainers.Key, String> started = new LinkedHashMap<>();
    try {
      for (JsonNode each : JSON.readTree(PrivateFiles.read(file, MAX_BYTES)).path(LIST)) {
        if (started.size() < most) {
          PodRef pod = new PodRef(text(each, "namespace"), text(each, "name"), text(each, "uid"));
          started.put(new StartedContainers.Key(pod, text(each, "container")), text(each, "id"));
        }
      }
      return started;
    } catch (NoSuchFileException firstStart) {
      LOG.debug("no file of started containers yet file={}", file);
    } catch (IOException | IllegalArgumentException corrupt) {
      LOG.warn(
          "cannot read started containers, startup probes run again file={} reason=\"{}\"",
          file,
          FailureReason.of(corrupt).lines().findFirst().orElse(""));
    }
    return Map.of();
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asText();
  }

  /** Replaces the file. A failure is logged once, until it works again. */
  void write(Map<StartedContainers.Key, String> started) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode list = root.putArray(LIST);
    started.forEach((container, id) ->
        list.addObject()
            .put("namespace", container.pod().namespace())
            .put("name", container.pod().name())
            .put("uid", container.pod().uid())
            .put("container", container.container())
            .put("id", id));
    try {
      PrivateFiles.replace(file, JSON.writeValueAsBytes(root));
      complained = false;
    } catch (IOException failed) {
      if (!complained) {
        LOG.warn(
            "cannot save started containers, startup probes run again after an agent restart"
                + " file={} reason=\"{}\"",
            file,
            FailureReason.of(failed));
      }
      complained = true;
    }
  }
}
