import { expect, test } from 'vitest'
import { findShortcut, type KeyPress, type ShortcutDefinition } from './keys.ts'

const run = () => {}
const shortcuts: ShortcutDefinition[] = [
  { keys: 'mod+k', label: 'Search', run, always: true },
  { keys: 'd', label: 'Details', run },
  { keys: 'g d', label: 'Go to the dashboard', run },
  { keys: 'Enter', label: 'Open', run },
  { keys: 'Escape', label: 'Leave', run },
  { keys: 'ArrowRight', label: 'Next', run },
  { keys: 'j', label: 'Older', run },
  { keys: 'j', label: 'Newer', run },
]
const press = (key: string, extra: Partial<KeyPress> = {}, before?: string, single = true) =>
  findShortcut(
    shortcuts,
    {
      key,
      mod: false,
      alt: false,
      typing: false,
      onControl: false,
      inWidget: false,
      layered: false,
      repeat: false,
      ...extra,
    },
    before,
    single,
  )?.label

test('a newer shortcut takes precedence over an older one, and a two-key sequence over a single key', () => {
  expect(press('j')).toBe('Newer')
  expect(press('d')).toBe('Details')
  expect(press('d', {}, 'g')).toBe('Go to the dashboard')
})

test('typing triggers no shortcut except Ctrl+K', () => {
  expect(press('j', { typing: true })).toBeUndefined()
  expect(press('j', { layered: true })).toBeUndefined()
  expect(press('j', { alt: true })).toBeUndefined()
  expect(press('K', { mod: true, typing: true })).toBe('Search')
})

test('Enter on a button triggers no shortcut, and single-key shortcuts can be switched off', () => {
  expect(press('Enter')).toBe('Open')
  expect(press('Enter', { onControl: true })).toBeUndefined()
  expect(press('j', {}, undefined, false)).toBeUndefined()
  expect(press('k', { mod: true }, undefined, false)).toBe('Search')
})

test('shortcuts are ignored while a layer covers the page, and arrow keys are ignored while a widget has the focus', () => {
  expect(press('Escape')).toBe('Leave')
  expect(press('Escape', { layered: true })).toBeUndefined()
  expect(press('Escape', { repeat: true })).toBeUndefined()
  expect(press('ArrowRight')).toBe('Next')
  expect(press('ArrowRight', { repeat: true })).toBe('Next')
  expect(press('ArrowRight', { inWidget: true })).toBeUndefined()
  expect(press('j', { inWidget: true })).toBe('Newer')
})
