package io.probelet.monitor.rule;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a check measures, and from where on it is a problem (B-9). */
public sealed interface CheckSpec {
  /**
   * The container runtime answers, and says that it is ready.
   *
   * @param listWithin how long it may take to list what runs
   * @param network whether its network has to be ready too
   */
  record ContainerRuntime(Duration listWithin, boolean network) implements CheckSpec {}

  /** The kubelet says that it is well. */
  record Kubelet(URI healthz) implements CheckSpec {}

  /**
   * Filesystems have room.
   *
   * @param mounts where they are mounted; empty for all that lie on a disk of this machine
   * @param counted what there has to be room for
   * @param maxUsedPercent how much may be used, 1 to 100
   */
  record DiskUsage(List<Path> mounts, Counted counted, int maxUsedPercent) implements CheckSpec {
    /** What a filesystem runs out of. */
    public enum Counted {
      /** Room for bytes. */
      SPACE,
      /** Numbers for files. */
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
   * @param folder where; null for the folder this program keeps its state in
   */
  record DiskIo(@Nullable Path folder) implements CheckSpec {}

  /**
   * No filesystem was turned read-only.
   *
   * @param mounts mounts that have to be writable; empty for all that were mounted so
   */
  record ReadOnlyMounts(List<Path> mounts) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public ReadOnlyMounts {
      mounts = List.copyOf(mounts);
    }
  }

  /** No filesystem of the node has shut itself down. */
  record FilesystemShutdown() implements CheckSpec {}

  /**
   * Every CPU runs a thread that asks for it.
   *
   * @param within how long that may take, above zero
   */
  record CpuLockup(Duration within) implements CheckSpec {}

  /**
   * Firmware and hardware have recorded no fatal error.
   *
   * @param within how long after a boot a record of the boot before it counts, above zero
   */
  record HardwareErrors(Duration within) implements CheckSpec {}

  /**
   * Work does not wait for a resource for too long (PSI).
   *
   * @param maxPercent share of time in which work may wait, 1 to 100
   */
  record Pressure(Resource resource, int maxPercent) implements CheckSpec {
    /** What work waits for. */
    public enum Resource {
      /** Memory; counted while all work waits, over a minute. */
      MEMORY("full", "avg60"),
      /** Input and output; counted while all work waits, over a minute. */
      IO("full", "avg60"),
      /** Processors; counted while some work waits, over five minutes. */
      CPU("some", "avg300");

      private final String line;
      private final String average;

      Resource(String line, String average) {
        this.line = line;
        this.average = average;
      }

      /** {@return the line of the kernel's file that counts, {@code some} or {@code full}} */
      public String line() {
        return line;
      }

      /** {@return the average of that line which counts} */
      public String average() {
        return average;
      }
    }
  }

  /**
   * There are numbers left for processes and threads.
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
   * Dead processes are reaped.
   *
   * @param most how many may wait for that, 1 or more
   */
  record Zombies(int most) implements CheckSpec {}

  /**
   * No user is near what the kernel allows of inotify.
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
   * The clock is kept in time by somebody.
   *
   * @param maxOffset how far it may be off as far as the kernel knows, above zero
   */
  record Clock(Duration maxOffset) implements CheckSpec {}

  /**
   * Names can be resolved.
   *
   * @param name resolved to an address; empty to be content with any answer of a server
   */
  record Dns(String name) implements CheckSpec {}

  /** There is a way out of the machine. */
  record DefaultRoute() implements CheckSpec {}

  /**
   * Certificates are valid for a while yet.
   *
   * @param files PEM files; empty for those of a Kubernetes node, as far as they exist
   * @param expiresWithin how long they have to be valid, above zero
   */
  record Certificates(List<Path> files, Duration expiresWithin) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public Certificates {
      files = List.copyOf(files);
    }
  }

  /**
   * Units of systemd run.
   *
   * @param units their names; empty for those of a Kubernetes node that have not failed
   */
  record SystemdUnits(List<String> units) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public SystemdUnits {
      units = List.copyOf(units);
    }
  }

  /**
   * Nothing that was installed waits for a reboot.
   *
   * @param files one of them is there while something waits
   */
  record RebootRequired(List<Path> files) implements CheckSpec {
    /** Keeps an unmodifiable copy of the list. */
    public RebootRequired {
      files = List.copyOf(files);
    }
  }

  /**
   * The kernel has not panicked lately, as far as it could write that down (pstore).
   *
   * @param within how long ago counts as lately, above zero
   */
  record KernelPanic(Duration within) implements CheckSpec {}
}
