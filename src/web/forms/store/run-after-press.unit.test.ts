import { expect, test } from 'vitest'
import { createPointerReleaseRunner } from './value-store.ts'

const later = () => new Promise((done) => setTimeout(done, 5))

test('an action delayed while a pointer is pressed runs once, after the click', async () => {
  const on = new EventTarget()
  const onceLetGo = createPointerReleaseRunner(on)
  const done: string[] = []
  const act = () => void done.push('moved')
  onceLetGo(act)
  expect(done).toEqual(['moved'])
  on.dispatchEvent(new Event('pointerdown'))
  onceLetGo(act)
  onceLetGo(act)
  expect(done).toEqual(['moved'])
  on.dispatchEvent(new Event('pointerup'))
  done.push('click')
  await later()
  expect(done).toEqual(['moved', 'click', 'moved'])
  on.dispatchEvent(new Event('pointerdown'))
  onceLetGo(act)
  on.dispatchEvent(new Event('pointercancel'))
  await later()
  expect(done).toHaveLength(4)
})
