/** Declares how the driver converts a statement's values to text, which the driver's own types omit. */
declare module 'pg/lib/utils.js' {
  export const prepareValue: (value: unknown) => Buffer | string | null
}
