import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GUARDS } from '../../bench/guard-list.ts'

// What each guard costs is measured by leaving it out of the source: that finds nothing to leave out once the source is otherwise.

test.each(GUARDS)('$name: stands where the measurement leaves it out', ({ file, text }) => {
  const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
  expect(source.split(text)).toHaveLength(2)
})
