/**
 * The rules of Kubernetes for names, the keys and values of labels among them, each written once.
 */
@NullMarked
package io.probelet.document.name;

import org.jspecify.annotations.NullMarked;
