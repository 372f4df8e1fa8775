package io.probelet.runtime.cri;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The control group of a container. The runtime names it in the OCI specification; a pod's author
 * cannot influence it.
 */
final class ContainerCgroup {
  private static final int MAX_DEPTH = 100;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  /** The format of the systemd driver: slice, prefix and name. */
  private static final int SYSTEMD_PARTS = 3;

  private static final String SLICE = ".slice";

  private ContainerCgroup() {}

  /**
   * {@return the group's path below the root of a hierarchy; empty if the runtime does not report
   * it}
   *
   * @param info what the runtime reports under the key {@code info}
   */
  static Optional<Path> of(String info) {
    try (JsonParser json = JSON.createParser(info)) {
      json.nextToken();
      for (String name : List.of("runtimeSpec", "linux", "cgroupsPath")) {
        if (!enter(json, name)) {
          return Optional.empty();
        }
      }
      return json.currentToken() == JsonToken.VALUE_STRING
          ? folder(json.getText())
          : Optional.empty();
    } catch (IOException malformed) {
      return Optional.empty();
    }
  }

  /** Advances the parser to the value of a field of the current object. */
  private static boolean enter(JsonParser json, String name) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return false;
    }
    @Nullable String field;
    while ((field = json.nextFieldName()) != null) {
      json.nextToken();
      if (field.equals(name)) {
        return true;
      }
      json.skipChildren();
    }
    return false;
  }

  /** {@code kubepods-burstable.slice:cri-containerd:ID} of the systemd driver, or a plain path. */
  static Optional<Path> folder(String cgroupsPath) {
    String[] parts = cgroupsPath.split(":", -1);
    String path =
        parts.length == SYSTEMD_PARTS
            ? slices(parts[0]) + "/" + parts[1] + "-" + parts[2] + ".scope"
            : cgroupsPath;
    List<String> names = Stream.of(path.split("/", -1)).filter(name -> !name.isEmpty()).toList();
    boolean unsafe =
        names.isEmpty()
            || names.contains("..")
            || names.contains(".")
            || path.indexOf('\0') >= 0; // no path contains it, and Path would throw
    return unsafe ? Optional.empty() : Optional.of(Path.of(String.join("/", names)));
  }

  /** {@code a-b.slice} is in {@code a.slice}. */
  private static String slices(String slice) {
    if (!slice.endsWith(SLICE)) {
      return slice;
    }
    String name = slice.substring(0, slice.length() - SLICE.length());
    StringBuilder path = new StringBuilder();
    for (int dash = name.indexOf('-'); dash > 0; dash = name.indexOf('-', dash + 1)) {
      path.append(name, 0, dash).append(SLICE).append('/');
    }
    return path.append(slice).toString();
  }
}
