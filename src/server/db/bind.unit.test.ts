import fc from 'fast-check'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { expect, test } from 'vitest'
import { createBindMessage, joinMessages, messageFromBytes } from './bind.ts'

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 500, maxLength: 5000 }),
  fc.constantFrom('', '\ud800', null, undefined, true, -0, 1e21, new Date(0), Buffer.from([0, 255]), { a: ['b'] }),
  fc.array(fc.oneof(fc.string(), fc.constant(null))),
  fc.double(),
)

test("a bind message has the same bytes as the driver's", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]\w{0,9}$/), fc.array(value, { maxLength: 40 }), (statement, values) => {
      const sent = serialize.bind({ statement, values, valueMapper: utils.prepareValue })
      const execute = serialize.execute()
      expect(joinMessages([createBindMessage(statement, values), messageFromBytes(execute)])).toEqual(
        Buffer.concat([sent, execute]),
      )
    }),
  )
})
