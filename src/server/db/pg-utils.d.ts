/**
 * Type of the driver's function that converts a statement's values for sending. The driver's own types omit this
 * function.
 */
declare module 'pg/lib/utils.js' {
  export const prepareValue: (value: unknown) => Buffer | string | null
}
