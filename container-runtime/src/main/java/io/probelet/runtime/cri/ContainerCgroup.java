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
 * Where the kernel has a container. The runtime names its control group in the OCI specification,
 * and its first process; a pod's author has no say in that.
 *
 * @param folder the group's path below the root of a hierarchy
 * @param pid the first process, as the node numbers it; 0 if the runtime does not say
 */
record ContainerCgroup(Path folder, long pid) {
  private static final int MAX_DEPTH = 100;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  /** The format of the systemd driver: slice, prefix and name. */
  private static final int SYSTEMD_PARTS = 3;

  private static final String SLICE = ".slice";

  /**
   * {@return where a container is; empty if the runtime does not name its control group}
   *
   * @param info what the runtime reports under the key {@code info}
   */
  static Optional<ContainerCgroup> of(String info) {
    try (JsonParser json = JSON.createParser(info)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      long pid = 0;
      @Nullable String field;
      while ((field = json.nextFieldName()) != null) {
        JsonToken value = json.nextToken();
        if (field.equals("runtimeSpec")) { // runtimes name the process before it
          long first = pid;
          return path(json)
              .flatMap(ContainerCgroup::folder)
              .map(folder -> new ContainerCgroup(folder, first));
        }
        if (field.equals("pid") && value == JsonToken.VALUE_NUMBER_INT) {
          pid = json.getLongValue();
        } else {
          json.skipChildren();
        }
      }
      return Optional.empty();
    } catch (IOException malformed) {
      return Optional.empty();
    }
  }

  /** Reads the group's path in the specification that the parser is at. */
  private static Optional<String> path(JsonParser json) throws IOException {
    return enter(json, "linux")
            && enter(json, "cgroupsPath")
            && json.currentToken() == JsonToken.VALUE_STRING
        ? Optional.of(json.getText())
        : Optional.empty();
  }

  /** Goes to the value of a field of the object that the parser is at. */
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

  /** {@return the group's own name, which has the container's id} */
  String name() {
    return folder.getFileName().toString();
  }

  /** {@code kubepods-burstable.slice:cri-containerd:ID} of systemd's driver, or a plain path. */
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
