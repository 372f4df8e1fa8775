package io.probelet.monitor.rule;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a check measures, and its threshold (B-9). */
public sealed interface CheckSpec {
  /**
   * The container runtime answers and is ready.
   *
   * @param listWithin how long listing containers may take
   * @param network whether its network must be ready too
   */
  record ContainerRuntime(Duration listWithin, boolean network) implements CheckSpec {}

  /** The kubelet is healthy. */
  record Kubelet(URI healthz) implements CheckSpec {}

  /**
   * Filesystems have free space or inodes.
   *
   * @param mounts their mount points; empty for all on disks of this machine
   * @param counted the resource to check
   * @param maxUsedPercent how much may be used, 1 to 100
   */
  record DiskUsage(List<Path> mounts, Counted counted, int maxUsedPercent) implements CheckSpec {
    /** A limited resource of a filesystem. */
    public enum Counted {
      /** Space. */
      SPACE,
      /** Inodes. */
      INODES
    }

    /** Keeps an unmodifiable copy of the list. */
    public DiskUsage {
      mounts = List.copyOf(mounts);
    }
  }

  /**
   * A small file can be written, flushed and read.
   *
   * @param folder the folder; null for this program's state folder
   */
  record DiskIo(@Nullable Path folder) implements CheckSpec {}

  /**
   * No filesystem turned read-only.
   *
   * @param mounts mounts that must be writable; empty for all that were mounted writable
   */
  record ReadOnlyMounts(List<Path> mounts) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public ReadOnlyMounts {
      mounts = List.copyOf(mounts);
    }
  }

  /** No filesystem of the node has shut down. */
  record FilesystemShutdown() implements CheckSpec {}

  /**
   * Every CPU runs a thread bound to it.
   *
   * @param within how long that may take, above zero
   */
  record CpuLockup(Duration within) implements CheckSpec {}

  /**
   * Firmware and hardware have recorded no fatal error.
   *
   * @param within how long after boot a record of the previous boot counts, above zero
   */
  record HardwareErrors(Duration within) implements CheckSpec {}

  /**
   * Tasks do not stall on a resource for too long (PSI).
   *
   * @param maxPercent the share of time in which tasks may stall, 1 to 100
   */
  record Pressure(Resource resource, int maxPercent) implements CheckSpec {
    /** The resource that tasks wait for. */
    public enum Resource {
      /** Memory; the time in which all tasks stall, over a minute. */
      MEMORY("full", "avg60"),
      /** Disk I/O; the time in which all tasks stall, over a minute. */
      IO("full", "avg60"),
      /** CPU; the time in which some tasks stall, over five minutes. */
      CPU("some", "avg300");

      private final String line;
      private final String average;

      Resource(String line, String average) {
        this.line = line;
        this.average = average;
      }

      /** {@return the line of the kernel's file to read, {@code some} or {@code full}} */
      public String line() {
        return line;
      }

      /** {@return the average of that line to read} */
      public String average() {
        return average;
      }
    }
  }

  /**
   * Process and thread IDs are available.
   *
   * @param maxUsedPercent how many may be in use, 1 to 100
   */
  record Pids(int maxUsedPercent) implements CheckSpec {}

  /**
   * The kernel can open more files.
   *
   * @param maxUsedPercent how many of those allowed may be open, 1 to 100
   */
  record OpenFiles(int maxUsedPercent) implements CheckSpec {}

  /**
   * Zombies are reaped.
   *
   * @param most the most zombies allowed, 1 or more
   */
  record Zombies(int most) implements CheckSpec {}

  /**
   * No user is near the kernel's inotify limits.
   *
   * @param maxUsedPercent how many instances, and how many watches, may be in use, 1 to 100
   */
  record Inotify(int maxUsedPercent) implements CheckSpec {}

  /**
   * The kernel can track more connections.
   *
   * @param maxUsedPercent how much of the table may be in use, 1 to 100
   */
  record Conntrack(int maxUsedPercent) implements CheckSpec {}

  /**
   * The clock is synchronized.
   *
   * @param maxOffset the largest offset known to the kernel, above zero
   */
  record Clock(Duration maxOffset) implements CheckSpec {}

  /**
   * Names can be resolved.
   *
   * @param name the name to resolve; empty to accept any answer of a server
   */
  record Dns(String name) implements CheckSpec {}

  /** There is a default route. */
  record DefaultRoute() implements CheckSpec {}

  /**
   * Certificates do not expire soon.
   *
   * @param files PEM files; empty for those of a Kubernetes node that exist
   * @param expiresWithin how long they must remain valid, above zero
   */
  record Certificates(List<Path> files, Duration expiresWithin) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public Certificates {
      files = List.copyOf(files);
    }
  }

  /**
   * systemd units are active.
   *
   * @param units their names; empty for those of a Kubernetes node, which must not have failed
   */
  record SystemdUnits(List<String> units) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public SystemdUnits {
      units = List.copyOf(units);
    }
  }

  /**
   * No installed package requires a reboot.
   *
   * @param files the files, one of which exists while a reboot is required
   */
  record RebootRequired(List<Path> files) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public RebootRequired {
      files = List.copyOf(files);
    }
  }

  /**
   * The kernel has recorded no recent panic (pstore).
   *
   * @param within how long a record counts as recent, above zero
   */
  record KernelPanic(Duration within) implements CheckSpec {}
}
