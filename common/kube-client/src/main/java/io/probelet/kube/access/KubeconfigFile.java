package io.probelet.kube.access;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Reads kubeconfigs. These contain tokens and keys, and so may any other file: errors name the file
 * and the position and never quote content, as the parsers' own messages do.
 */
final class KubeconfigFile {
  /** A context with two certificates and a key takes about 6 KiB. */
  static final int MAX_MEBIBYTES = 4;

  private static final int MAX_BYTES = MAX_MEBIBYTES << 20;

  private KubeconfigFile() {}

  /**
   * Reads the file given by the user.
   *
   * @param file its path; a pipe is read once
   * @param context of the kubeconfig; null for the current one
   * @throws IOException if it cannot be used; the message is for the user
   */
  static Config read(Path file, @Nullable String context) throws IOException {
    String label = "--kubeconfig " + file + ": ";
    if (!Files.isReadable(file)) {
      throw new IOException(label + "no such file, or permission denied");
    }
    if (Files.isDirectory(file)) {
      throw new IOException(label + "is a directory");
    }
    byte[] content;
    try {
      content = bytes(file);
    } catch (IOException unreadable) {
      throw new IOException(label + unreadable.getMessage(), unreadable);
    }
    String text = new String(content, StandardCharsets.UTF_8);
    try {
      return Files.isRegularFile(file)
          ? ServerScheme.require(Config.fromKubeconfig(context, file.toFile()), "", List.of(text))
          : ServerScheme.require(ofPipe(context, text), variable(), List.of(text));
    } catch (RuntimeException | StackOverflowError malformed) {
      throw new IOException(label + "is not a kubeconfig: " + problem(malformed));
    }
  }

  @SuppressWarnings("removal") // the only method with both a context and a text
  private static Config ofPipe(@Nullable String context, String content) {
    return Config.fromKubeconfig(context, content, null);
  }

  /** {@return the default server that the client uses without a configured one} */
  private static String variable() {
    return Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, "");
  }

  /**
   * Reads the configuration from {@code KUBECONFIG}, {@code ~/.kube/config} or a pod's service
   * account.
   *
   * @param context of the kubeconfig; null for the current one
   * @throws IOException if a kubeconfig cannot be used; the message is for the user
   */
  static Config ofEnvironment(@Nullable String context) throws IOException {
    List<Path> files =
        Config.getKubeconfigFilenames().stream()
            .map(Path::of)
            .filter(Files::isRegularFile)
            .toList();
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      try {
        texts.add(new String(bytes(file), StandardCharsets.UTF_8));
      } catch (IOException unusable) {
        throw new IOException("kubeconfig " + file + ": " + unusable.getMessage(), unusable);
      }
    }
    try {
      return ServerScheme.require(Config.autoConfigure(context), variable(), texts);
    } catch (RuntimeException | StackOverflowError malformed) {
      throw new IOException(
          "kubeconfig "
              + files.stream().map(Path::toString).collect(Collectors.joining(", "))
              + ": is not a kubeconfig: "
              + problem(malformed));
    }
  }

  /** {@return the content of a kubeconfig, certificate or key} */
  static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException(tooLarge());
      }
      return bytes;
    }
  }

  private static String tooLarge() {
    return "is larger than " + MAX_MEBIBYTES + " MiB";
  }

  /** {@return the problem and its position, without content of the file} */
  static String problem(Throwable malformed) {
    Throwable cause = malformed;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case MarkedYamlEngineException yaml -> "not YAML" + place(yaml.getProblemMark().orElse(null));
      case JsonMappingException mapping -> "unexpected type of " + field(mapping);
      case JsonProcessingException json -> "not JSON" + place(json.getLocation());
      case StackOverflowError _ -> "nested too deeply";
      case NullPointerException _ -> "it is empty"; // thrown by the client
      default -> cause.getClass().getSimpleName();
    };
  }

  private static String place(@Nullable Mark mark) {
    return mark == null ? "" : place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static String place(@Nullable JsonLocation location) {
    return location == null || location.getLineNr() < 1
        ? ""
        : place(location.getLineNr(), location.getColumnNr());
  }

  private static String place(int line, int column) {
    return " at line " + line + ", column " + column;
  }

  /** The path contains only the client's own field names and numbers. */
  private static String field(JsonMappingException mapping) {
    String path =
        mapping.getPath().stream()
            .map(step ->
                step.getFieldName() == null
                    ? "[" + step.getIndex() + "]"
                    : "." + step.getFieldName())
            .collect(Collectors.joining());
    return path.isEmpty() ? "the document" : path.substring(1);
  }
}
