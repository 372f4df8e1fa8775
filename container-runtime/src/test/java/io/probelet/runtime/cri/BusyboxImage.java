package io.probelet.runtime.cri;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A container image around this machine's busybox, as an archive that any runtime imports. */
final class BusyboxImage {
  static final String NAME = "docker.io/probelet/busybox:test";

  private static final List<String> APPLETS =
      List.of("sh", "sleep", "cat", "echo", "true", "false", "head", "tr", "touch", "rm", "httpd");

  private BusyboxImage() {}

  /** Writes the archive into a directory. */
  static Path in(Path directory) throws IOException, InterruptedException {
    Path root = Files.createDirectories(directory.resolve("image"));
    Path bin = Files.createDirectories(root.resolve("bin"));
    for (String each : List.of("tmp", "proc", "sys", "dev", "etc", "www")) {
      Files.createDirectories(root.resolve(each));
    }
    Files.writeString(root.resolve("www/index.html"), "hello\n");
    Files.copy(Path.of("/bin/busybox"), bin.resolve("busybox"));
    Commands.run("chmod", "755", bin.resolve("busybox").toString());
    for (String each : APPLETS) {
      Files.createSymbolicLink(bin.resolve(each), Path.of("busybox"));
    }
    Path archive = Files.createDirectories(directory.resolve("archive"));
    Path layer = archive.resolve("layer.tar");
    Commands.run("tar", "-C", root.toString(), "-cf", layer.toString(), ".");
    Files.writeString(
        archive.resolve("config.json"),
        """
        {"architecture": "%s", "os": "linux",
         "config": {"Env": ["PATH=/bin"], "Cmd": ["/bin/sleep", "1000000"]},
         "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}}
        """
            .formatted(architecture(), sha256(layer)));
    Files.writeString(
        archive.resolve("manifest.json"),
        """
        [{"Config": "config.json", "RepoTags": ["%s"], "Layers": ["layer.tar"]}]
        """
            .formatted(NAME));
    Path image = directory.resolve("busybox.tar");
    Commands.run("tar", "-C", archive.toString(), "-cf", image.toString(), ".");
    return image;
  }

  private static String architecture() {
    return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
