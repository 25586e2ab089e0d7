/** Lets TypeScript import style sheets for their side effect; the build turns them into files. */

declare module '*.css' {}
