package io.probelet.monitor.rule;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.monitor.rule.CheckSpec.DiskUsage.Counted;
import io.probelet.monitor.rule.CheckSpec.Pressure.Resource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the fields of one kind of check, with defaults. */
final class CheckSpecReader {
  private static final String KUBELET = "http://127.0.0.1:10248/healthz";
  private static final Path REBOOT_REQUIRED = Path.of("/run/reboot-required");

  private CheckSpecReader() {}

  static CheckSpec read(CheckKind kind, Fields keys) {
    return switch (kind) {
      case CONTAINER_RUNTIME ->
          new CheckSpec.ContainerRuntime(
              MonitorValues.positive(keys.field("listWithin"), Duration.ofSeconds(5)),
              keys.field("network").bool(false));
      case KUBELET -> new CheckSpec.Kubelet(url(keys.field("url")));
      case DISK_SPACE -> usage(keys, Counted.SPACE);
      case DISK_INODES -> usage(keys, Counted.INODES);
      case DISK_IO ->
          new CheckSpec.DiskIo(FieldRules.parsed(keys.field("folder"), CheckSpecReader::absolute));
      case READ_ONLY_MOUNTS -> new CheckSpec.ReadOnlyMounts(paths(keys.field("mounts")));
      case FILESYSTEM_SHUTDOWN -> new CheckSpec.FilesystemShutdown();
      case CPU_LOCKUP ->
          new CheckSpec.CpuLockup(
              MonitorValues.positive(keys.field("within"), Duration.ofSeconds(20)));
      case HARDWARE_ERRORS ->
          new CheckSpec.HardwareErrors(
              MonitorValues.positive(keys.field("within"), Duration.ofDays(1)));
      case MEMORY_PRESSURE ->
          new CheckSpec.Pressure(
              Resource.MEMORY, MonitorValues.percent(keys.field("maxPercent"), 25));
      case IO_PRESSURE ->
          new CheckSpec.Pressure(Resource.IO, MonitorValues.percent(keys.field("maxPercent"), 75));
      case CPU_PRESSURE ->
          new CheckSpec.Pressure(Resource.CPU, MonitorValues.percent(keys.field("maxPercent"), 95));
      case PIDS -> new CheckSpec.Pids(MonitorValues.percent(keys.field("maxUsedPercent"), 90));
      case OPEN_FILES ->
          new CheckSpec.OpenFiles(MonitorValues.percent(keys.field("maxUsedPercent"), 90));
      case ZOMBIES -> new CheckSpec.Zombies(FieldRules.atLeast(keys.field("most"), 1, 100));
      case INOTIFY ->
          new CheckSpec.Inotify(MonitorValues.percent(keys.field("maxUsedPercent"), 90));
      case CONNTRACK ->
          new CheckSpec.Conntrack(MonitorValues.percent(keys.field("maxUsedPercent"), 90));
      case CLOCK ->
          new CheckSpec.Clock(
              MonitorValues.positive(keys.field("maxOffset"), Duration.ofMillis(500)));
      case DNS -> new CheckSpec.Dns(keys.field("name").text(""));
      case DEFAULT_ROUTE -> new CheckSpec.DefaultRoute();
      case CERTIFICATES ->
          new CheckSpec.Certificates(
              paths(keys.field("files")),
              MonitorValues.positive(keys.field("expiresWithin"), Duration.ofDays(7)));
      case SYSTEMD_UNITS -> new CheckSpec.SystemdUnits(keys.field("units").texts());
      case REBOOT_REQUIRED -> {
        List<Path> files = paths(keys.field("files"));
        yield new CheckSpec.RebootRequired(files.isEmpty() ? List.of(REBOOT_REQUIRED) : files);
      }
      case KERNEL_PANIC ->
          new CheckSpec.KernelPanic(
              MonitorValues.positive(keys.field("within"), Duration.ofDays(1)));
    };
  }

  private static CheckSpec usage(Fields keys, Counted counted) {
    return new CheckSpec.DiskUsage(
        paths(keys.field("mounts")),
        counted,
        MonitorValues.percent(keys.field("maxUsedPercent"), 90));
  }

  private static List<Path> paths(Field field) {
    List<Path> paths = new ArrayList<>();
    for (Field item : field.items()) {
      Path path = FieldRules.parsed(item, CheckSpecReader::absolute);
      if (path != null) {
        paths.add(path);
      } else if (item.scalar().isEmpty()) {
        item.invalid("must be an absolute path");
      }
    }
    return paths;
  }

  private static Path absolute(String text) {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("must be an absolute path");
    }
    return Path.of(text);
  }

  private static URI url(Field field) {
    URI url = FieldRules.parsed(field, CheckSpecReader::http);
    return url == null ? URI.create(KUBELET) : url;
  }

  private static URI http(String text) {
    try {
      URI url = new URI(text);
      if ("http".equals(url.getScheme()) && url.getHost() != null) {
        return url;
      }
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException("is not a URL: " + malformed.getReason(), malformed);
    }
    throw new IllegalArgumentException("must be a URL that begins with http://");
  }
}
