/**
 * From paths on the command line to pods: files are found, read and checked, all problems of all
 * files are reported at once, and a folder can be watched for changes. Reading never throws for
 * what a file holds; a bad file costs its own pods only.
 */
@NullMarked
package io.probelet.manifest;

import org.jspecify.annotations.NullMarked;
