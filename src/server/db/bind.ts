import utils from 'pg/lib/utils.js'

/** A protocol message whose length is known before it is written. */
export interface ProtocolMessage {
  readonly length: number
  /** Writes the message at an offset; returns the offset after it. */
  write(to: Buffer, at: number): number
}

const BIND = 'B'.charCodeAt(0)

/**
 * Creates the Bind message with the values of a prepared statement, byte for byte as the driver would send it. The
 * driver itself writes into a growing buffer and copies the message out of it.
 */
export function createBindMessage(statement: string, given: readonly unknown[]): ProtocolMessage {
  const values = given.map((value) => (typeof value === 'string' ? value : utils.prepareValue(value)))
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)))
  const count = values.length
  // Message type, length, unnamed portal, statement, parameter formats, values, result format.
  const length = 1 + 4 + 1 + (Buffer.byteLength(statement) + 1) + (2 + 2 * count) + 2 + 4 * count + 4
  const whole = lengths.reduce((sum, one) => sum + Math.max(one, 0), length)
  return {
    length: whole,
    write: (to, from) => {
      let at = to.writeUInt8(BIND, from)
      at = to.writeInt32BE(whole - 1, at)
      at = to.writeUInt8(0, at)
      at += to.write(statement, at)
      at = to.writeUInt8(0, at)
      at = to.writeUInt16BE(count, at)
      for (const value of values) at = to.writeInt16BE(typeof value === 'object' && value !== null ? 1 : 0, at)
      at = to.writeUInt16BE(count, at)
      for (let n = 0; n < count; n++) {
        const value = values[n] ?? null
        at = to.writeInt32BE(lengths[n] ?? -1, at)
        if (value !== null) at += typeof value === 'string' ? to.write(value, at) : value.copy(to, at)
      }
      at = to.writeInt16BE(1, at)
      return to.writeInt16BE(0, at)
    },
  }
}

/** Creates a message from existing bytes. */
export const messageFromBytes = (bytes: Buffer): ProtocolMessage => ({
  length: bytes.length,
  write: (to, at) => at + bytes.copy(to, at),
})

/** Joins messages into one buffer, for a single write. */
export function joinMessages(messages: readonly ProtocolMessage[]): Buffer {
  const to = Buffer.allocUnsafe(messages.reduce((sum, { length }) => sum + length, 0))
  messages.reduce((at, message) => message.write(to, at), 0)
  return to
}
