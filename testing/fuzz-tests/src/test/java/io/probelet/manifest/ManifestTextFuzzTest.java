package io.probelet.manifest;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.Source.Decoded;
import io.probelet.fuzz.Bounded;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;

/** Files with manifests of every kind that is read, in YAML and JSON. */
class ManifestTextFuzzTest {
  private static final int MAX_PROBLEMS = 1000;

  @FuzzTest
  void manifest(byte[] data) throws Exception {
    Bounded.run(() -> {
      if (Source.decode(data) instanceof Decoded.Text(Source source)) {
        read("pod.yaml", source);
        read("pod.json", source);
      }
    });
  }

  private static void read(String name, Source source) {
    FileManifests read =
        FileManifests.read(Path.of(name), source, Mode.STANDALONE_PROCESS, PodRules.LOCAL);
    Bounded.check(read.problems().size() <= MAX_PROBLEMS, "more problems than anybody reads");
    for (PodSource pod : read.pods()) {
      Bounded.check(pod.local() != null, "a pod without its processes");
    }
  }
}
