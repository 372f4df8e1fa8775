package io.probelet.agent.statistics;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.web.api.JsonLimits;
import io.probelet.web.api.ViewJson;
import io.probelet.web.statistics.StatisticsView;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of {@link SavedStatistics}, always replaced as a whole. A corrupt file is reported and
 * ignored; statistics then begin anew.
 */
final class StatisticsFile {
  private static final Logger LOG = LoggerFactory.getLogger(StatisticsFile.class);
  private static final JsonLimits LIMITS = JsonLimits.OF_NODE;

  private final Path file;
  private boolean complained;

  StatisticsFile(Path file) {
    this.file = file;
  }

  List<ContainerStatistics> read() {
    try {
      byte[] json = PrivateFiles.read(file, LIMITS.bytes());
      LIMITS.check(json);
      return ViewJson.read(json, StatisticsView.class).containers();
    } catch (NoSuchFileException firstStart) {
      LOG.debug("no file of probe statistics yet file={}", file);
    } catch (IOException corrupt) {
      LOG.warn(
          "cannot read probe statistics, they begin anew file={} reason=\"{}\"",
          file,
          FailureReason.of(corrupt).lines().findFirst().orElse(""));
    }
    return List.of();
  }

  /** Replaces the file. A failure is logged once, until it works again. */
  void write(StatisticsView view) {
    try {
      byte[] json = ViewJson.write(view).getBytes(StandardCharsets.UTF_8);
      if (json.length > LIMITS.bytes()) {
        throw new IOException("they have more than " + LIMITS.bytes() + " bytes");
      }
      PrivateFiles.replace(file, json);
      complained = false;
    } catch (IOException failed) {
      if (!complained) {
        LOG.warn(
            "cannot save probe statistics, they begin anew after an agent restart file={}"
                + " reason=\"{}\"",
            file,
            FailureReason.of(failed));
      }
      complained = true;
    }
  }
}
