package io.probelet.runtime.cri;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a container is given of its node, as the fields of the CRI that {@code kubelet.proto} does
 * not name. Every one drops all capabilities but those that are added, gains none later, and has
 * the runtime's usual seccomp profile.
 *
 * @param user who it runs as; below zero for whom the image says
 * @param capabilities those that are added, without {@code CAP_}
 */
public record ContainerAccess(long user, List<String> capabilities, List<Mount> mounts) {
  /** Nothing that the image does not say itself. */
  static final ContainerAccess NONE = new ContainerAccess(-1, List.of(), List.of());

  private static final int HOST_TO_CONTAINER = 1;

  /**
   * A file or folder of the node.
   *
   * @param readOnly whether it cannot be written there
   * @param follows whether what is mounted in it later on the node is there too
   */
  public record Mount(String at, Path source, boolean readOnly, boolean follows) {}

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void to(CodedOutputStream out) throws IOException;
  }

  /** More of a {@code ContainerConfig}: its mounts. */
  byte[] ofContainer() {
    return message(out -> {
      for (Mount mount : mounts) {
        out.writeByteArray(
            7,
            message(fields -> {
              fields.writeString(1, mount.at());
              fields.writeString(2, mount.source().toString());
              fields.writeBool(3, mount.readOnly());
              fields.writeEnum(5, mount.follows() ? HOST_TO_CONTAINER : 0);
            }));
      }
    });
  }

  /** More of a {@code LinuxContainerSecurityContext}. */
  byte[] ofSecurity() {
    if (user < 0) {
      return new byte[0];
    }
    return message(out -> {
      out.writeByteArray(
          1,
          message(fields -> {
            for (String capability : capabilities) {
              fields.writeString(1, capability);
            }
            fields.writeString(2, "ALL");
          }));
      out.writeByteArray(5, message(fields -> fields.writeInt64(1, user)));
      out.writeBool(11, true);
      out.writeByteArray(15, new byte[0]); // RuntimeDefault
    });
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.to(out);
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
