/** Copy of the upload widget in English; the browser loads it where there is one. */

/** Values passed to a function are already formatted for the reader. */
export const upload = {
  /** What the drop zone says, and its words that open the file dialog. */
  idle: {
    one: { drop: 'Drop a file here or', choose: 'choose one' },
    many: { drop: 'Drop files here or', choose: 'choose files' },
  },
  /** What it says in place of that while files are dragged. */
  dragged: {
    one: 'Drop it here to add it',
    many: 'Drop them here to add them',
    other: (types: string) => `Takes ${types} only`,
  },
  /** In a field where another file takes the place of the one that is there. */
  replace: { drop: 'To replace it, drop a file here or', choose: 'choose one' },
  notSaved: 'not saved',
  removing: (name: string) => `${name} is removed when you save.`,
  putBack: 'Put back',
  unnamed: 'File',
  noScript: 'To change the file, allow scripts in your browser.',
  /** While saving waits for a file; the share in percent is shown and not read out. */
  savesAfter: (name: string) => `Waiting for ${name}`,
  percent: (share: string) => `${share} %`,
  notAdded: (count: number, text: string) =>
    count === 1 ? '1 file not added' : `${text} files not added`,
  camera: 'Take a photograph',
  limits: (types: string, bytes: string) =>
    [types, bytes && `to ${bytes}`].filter(Boolean).join(', '),
  pictures: 'Images',
  count: (count: string, most: string) => `${count} of ${most}`,
  oneFile: 'one file',
  full: {
    one: 'Remove this file to add another.',
    many: (most: string) => `All ${most} places are taken. Remove one to add another.`,
  },
  /** Spec §5: the warning when there are too many; nothing of them is added. */
  maxFiles: (most: string) => `Max files: ${most}.`,
  noneAdded: {
    one: 'The file was not added.',
    many: (count: string) => `None of the ${count} files was added.`,
  },
  otherType: 'This type is not taken here.',
  tooLarge: (most: string) => `Larger than ${most}.`,
  broken: 'Connection lost.',
  brokenAt: (sent: string, all: string) =>
    `Connection lost at ${sent} of ${all}. What has arrived is kept for a day.`,
  retryFrom: (sent: string) => `Retry from ${sent}`,
  waiting: 'Waiting',
  progress: (name: string) => `Uploading ${name}`,
  /** `left`: how long it still takes, such as `3 s`; empty while nobody knows. */
  sent: (sent: string, all: string, left: string) =>
    [`${sent} of ${all}`, left && `${left} left`].filter(Boolean).join(', '),
  move: (name: string) => `Move ${name}`,
  moved: (name: string, place: string, count: string) => `${name}: ${place} of ${count}`,
  movedHint: 'Move it with the arrow keys.',
  remove: 'Remove',
  cancel: 'Cancel',
  retry: 'Retry',
  /** Names a button of one file. */
  of: (action: string, name: string) => `${action} ${name}`,
  /** A picture of a row over the page. */
  preview: {
    previous: 'Previous picture',
    next: 'Next picture',
    original: 'Open original',
    place: (at: string, count: string) => `${at} of ${count}`,
  },
  /** What is read out. */
  spoken: {
    added: 'Added',
    removed: 'Removed',
    file: 'file in list',
    files: 'files in list',
    loading: 'Loading',
    loadError: 'Could not be loaded:',
    sending: 'Uploading',
    complete: 'Upload complete',
    cancelled: 'Upload cancelled',
    removeError: 'Could not be removed:',
  },
}
