package io.probelet.kube.watch;

import io.probelet.kube.object.BoundedObject.TooLarge;
import java.io.IOException;

/** An object exceeds the limits of its format. Reading continues with the next object. */
public final class TooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient TooLarge object;

  /** Creates it. */
  public TooLargeException(TooLarge object) {
    super(object.text());
    this.object = object;
  }

  /** {@return the identity of the object} */
  public TooLarge object() {
    return object;
  }
}
