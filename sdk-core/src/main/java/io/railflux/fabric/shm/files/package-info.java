/** Directories and files through which the processes of one user find each other; removal of files of dead processes. */
@NullMarked
package io.railflux.fabric.shm.files;

import org.jspecify.annotations.NullMarked;
