package io.probelet.monitor.rule;

import io.probelet.monitor.rule.CheckSpec.DiskUsage.Counted;
import io.probelet.monitor.rule.CheckSpec.Pressure.Resource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Reads what a file says about one kind of check, and fills in what it does not say. */
final class CheckSpecReader {
  private static final String KUBELET = "http://127.0.0.1:10248/healthz";
  private static final Path REBOOT_REQUIRED = Path.of("/run/reboot-required");

  private CheckSpecReader() {}

  static CheckSpec read(CheckKind kind, MonitorKeys keys) {
    return switch (kind) {
      case CONTAINER_RUNTIME ->
          new CheckSpec.ContainerRuntime(
              keys.positive("listWithin", Duration.ofSeconds(5)), keys.bool("network", false));
      case KUBELET -> new CheckSpec.Kubelet(url(keys, "url", KUBELET));
      case DISK_SPACE -> usage(keys, Counted.SPACE);
      case DISK_INODES -> usage(keys, Counted.INODES);
      case DISK_IO -> new CheckSpec.DiskIo(keys.parsed("folder", CheckSpecReader::absolute));
      case READ_ONLY_MOUNTS -> new CheckSpec.ReadOnlyMounts(paths(keys, "mounts"));
      case MEMORY_PRESSURE ->
          new CheckSpec.Pressure(Resource.MEMORY, keys.percent("maxPercent", 25));
      case IO_PRESSURE -> new CheckSpec.Pressure(Resource.IO, keys.percent("maxPercent", 75));
      case CPU_PRESSURE -> new CheckSpec.Pressure(Resource.CPU, keys.percent("maxPercent", 95));
      case PIDS -> new CheckSpec.Pids(keys.percent("maxUsedPercent", 90));
      case OPEN_FILES -> new CheckSpec.OpenFiles(keys.percent("maxUsedPercent", 90));
      case ZOMBIES -> new CheckSpec.Zombies(keys.atLeast(1, "most", 100));
      case INOTIFY -> new CheckSpec.Inotify(keys.percent("maxUsedPercent", 90));
      case CONNTRACK -> new CheckSpec.Conntrack(keys.percent("maxUsedPercent", 90));
      case CLOCK -> new CheckSpec.Clock(keys.positive("maxOffset", Duration.ofMillis(500)));
      case DNS -> new CheckSpec.Dns(keys.text("name", ""));
      case DEFAULT_ROUTE -> new CheckSpec.DefaultRoute();
      case CERTIFICATES ->
          new CheckSpec.Certificates(
              paths(keys, "files"), keys.positive("expiresWithin", Duration.ofDays(7)));
      case SYSTEMD_UNITS -> new CheckSpec.SystemdUnits(keys.texts("units"));
      case REBOOT_REQUIRED -> {
        List<Path> files = paths(keys, "files");
        yield new CheckSpec.RebootRequired(files.isEmpty() ? List.of(REBOOT_REQUIRED) : files);
      }
      case KERNEL_PANIC -> new CheckSpec.KernelPanic(keys.positive("within", Duration.ofDays(1)));
    };
  }

  private static CheckSpec usage(MonitorKeys keys, Counted counted) {
    return new CheckSpec.DiskUsage(
        paths(keys, "mounts"), counted, keys.percent("maxUsedPercent", 90));
  }

  private static List<Path> paths(MonitorKeys keys, String key) {
    List<String> texts = keys.texts(key);
    for (String text : texts) {
      if (!text.startsWith("/")) {
        keys.error(key, "\"" + text + "\" must be an absolute path");
        return List.of();
      }
    }
    return texts.stream().map(Path::of).toList();
  }

  private static Path absolute(String text) {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("must be an absolute path");
    }
    return Path.of(text);
  }

  private static URI url(MonitorKeys keys, String key, String absent) {
    URI url = keys.parsed(key, CheckSpecReader::http);
    return url == null ? URI.create(absent) : url;
  }

  private static URI http(String text) {
    try {
      URI url = new URI(text);
      if ("http".equals(url.getScheme()) && url.getHost() != null) {
        return url;
      }
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException("is no URL: " + malformed.getReason(), malformed);
    }
    throw new IllegalArgumentException("must be a URL that begins with http://");
  }
}
