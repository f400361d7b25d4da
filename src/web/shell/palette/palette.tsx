import { Modal, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  type Icon,
  IconBolt,
  IconBriefcase,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { isNavigationEntryShown } from '#kernel/packs.ts'
import { hasRole } from '#kernel/roles.ts'
import type { FoundPart } from '#kernel/text.ts'
import { useActor, useMe } from '../../api/me.ts'
import { FoundPartText } from '../../ui/found-part.tsx'
import { iconOf } from '../../ui/icons.ts'
import { useCloseOnBack } from '../../ui/overlays/back.ts'
import { currentScreenActions } from '../../ui/screen-actions.ts'
import type { Page } from '../manifest/page.ts'
import { canWorkAsClientUser, openShellDialog, openWorkAsDialog } from '../navigation/dialogs.ts'
import { signOutWithWarning } from '../navigation/leave.ts'
import { usePages } from '../pages/known-pages.ts'
import { isPageBlocked } from '../pages/packs.ts'
import classes from './palette.module.css'
import { readRecentRecords } from './recent.ts'
import { buildLocalPaletteGroups, findMatchingItems, useClientSearch, useRecordSearch } from './search.ts'

interface PaletteItem {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly found?: FoundPart | null
  readonly Icon: Icon
  readonly run: () => void
}

const joinWords = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

const CLIENTS = 4

/**
 * Returns true if a page can be opened from anywhere: its path has no parameters, and it is not the page for unknown
 * paths.
 */
const isPlain = (p: Page) => !p.path.includes(':') && p.path !== '*'

/** Removes optional parameters from a path: `/crm/quote/:id?` → `/crm/quote` */
const withoutRecord = (path: string) => path.replace(/\/:\w+\?/g, '')

/**
 * Returns the items that match the query. Recent records, actions and screens come first and are available immediately.
 * The records found by the server follow in the order of their groups, so that no item moves when the server responds.
 */
function usePaletteItems(query: string, asked: string, mayWorkAs: boolean) {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const found = useRecordSearch(asked)
  const open = (path: string) => () => void navigate(path)
  const recent = findMatchingItems(
    query,
    readRecentRecords(useMe()).map(
      ({ path, title, kind, icon }): PaletteItem => ({
        key: path,
        label: title,
        detail: kind,
        Icon: iconOf(icon),
        run: open(path),
      }),
    ),
  )
  const records = found.groups.map(({ kind, rows }) => ({
    label: kind.label,
    // Recently opened records are omitted here because they are already listed above.
    choices: rows
      .filter((r) => !recent.some(({ key }) => key === kind.href(r, actor)))
      .map(
        (r): PaletteItem => ({
          key: r['@id'],
          label: kind.title(r),
          detail: joinWords(...kind.detail(r)),
          found: kind.found?.(r) ?? null,
          Icon: iconOf(kind.icon),
          run: open(kind.href(r, actor)),
        }),
      ),
  }))
  const toEnter = useClientSearch(asked, mayWorkAs && asked.length > 1, CLIENTS)
  const clients = toEnter.rows.map(
    (c): PaletteItem => ({
      key: `client ${c.id}`,
      label: `Work as ${c.company}`,
      detail: joinWords(c.city, c.contactname),
      Icon: IconBriefcase,
      run: () => openWorkAsDialog({ id: c.id, company: c.company }),
    }),
  )
  const may = (p: Page) =>
    p.load &&
    (p.nav
      ? isNavigationEntryShown(actor, p.nav)
      : !p.open && hasRole(actor, p.allow ?? 'member') && !isPageBlocked(p, actor))
  const pages = usePages().filter(may)
  const screens = pages
    .filter((p) => !p.begins && (p.nav || isPlain(p)))
    .map((p): PaletteItem => {
      const path = p.nav?.path ?? p.path
      return {
        key: path,
        label: p.nav?.title ?? p.title,
        detail: p.nav?.area ?? '',
        Icon: iconOf(p.nav?.icon ?? 'point'),
        run: open(path),
      }
    })
  const begun = pages.flatMap((p): PaletteItem[] =>
    p.begins
      ? [{ key: p.begins, label: p.begins, Icon: iconOf(p.nav?.icon ?? 'plus'), run: open(withoutRecord(p.path)) }]
      : [],
  )
  const ofShell = [
    ...(mayWorkAs ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => openWorkAsDialog() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openShellDialog({ name: 'shortcuts' }) },
    { label: 'Light mode', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark mode', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => signOutWithWarning(() => navigate('/')) },
  ].map((a): PaletteItem => ({ key: a.label, ...a }))
  const local = buildLocalPaletteGroups(query, {
    recent,
    here: findMatchingItems(
      query,
      currentScreenActions().map(
        ({ label, run }): PaletteItem => ({ key: `here ${label}`, label, Icon: IconBolt, run }),
      ),
    ),
    actions: findMatchingItems(query, [...begun, ...ofShell]),
    screens: findMatchingItems(query, screens),
  })
  const groups = [
    ...local,
    ...records,
    // The clients are the last group, so they are shown only once the groups above have loaded.
    { label: 'Clients', choices: found.searching ? [] : clients },
  ].filter((g) => g.choices.length > 0)
  return { groups, searching: found.searching || toEnter.busy }
}

/** Command palette: a single search field to find every screen, action and record by keyboard. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const id = useId()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 200)
  /** Key of the selected item. The item stays selected when new items change its position. */
  const [chosen, setChosen] = useState<string>()
  const { groups, searching } = usePaletteItems(query, asked, canWorkAsClientUser(me))
  const all = groups.flatMap((g) => g.choices)
  const current = Math.max(
    0,
    all.findIndex((c) => c.key === chosen),
  )
  const move = (to: number) => {
    const next = (to + all.length) % Math.max(1, all.length)
    setChosen(all[next]?.key)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  // The palette closes before the item's action runs, because the action may open another dialog.
  const choose = (choice: PaletteItem | undefined) => {
    if (!choice) return
    onClose()
    choice.run()
  }
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.nativeEvent.isComposing) return
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: e.ctrlKey ? 0 : undefined,
      End: e.ctrlKey ? all.length - 1 : undefined,
    }[e.key]
    if (to !== undefined) move(to)
    else if (e.key === 'Enter') choose(all[current])
    else return
    e.preventDefault()
  }
  useCloseOnBack(true, onClose)
  return (
    <Modal.Root opened onClose={onClose} size="lg" centered={false} yOffset="8vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search or go to" radius="lg">
        <div className={classes.field}>
          <IconSearch size={20} aria-hidden />
          <input
            data-autofocus
            // biome-ignore lint/a11y/noAutofocus: whoever opens it wants to type, and at once
            autoFocus
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={all.length ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            aria-label="Search or go to"
            autoComplete="off"
            spellCheck={false}
            placeholder={canWorkAsClientUser(me) ? 'A screen, a lead, a quote, a client…' : 'A screen, a document…'}
            value={query}
            onChange={(e) => {
              setQuery(e.currentTarget.value)
              setChosen(undefined)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id={`${id}-list`} role="listbox" aria-label="Results" className={classes.list}>
          {groups.map((g) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
            <div key={g.label} role="group" aria-label={g.label}>
              <div className={classes.heading} aria-hidden="true">
                {g.label}
              </div>
              {g.choices.map((c) => {
                const n = all.indexOf(c)
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field keeps the focus and has the keys
                  <div
                    key={c.key}
                    id={`${id}-${n}`}
                    role="option"
                    aria-selected={n === current}
                    className={classes.option}
                    onMouseMove={() => n !== current && setChosen(c.key)}
                    onClick={() => choose(c)}
                  >
                    <c.Icon size={20} stroke={1.75} aria-hidden />
                    <span className={classes.words}>
                      {c.label}
                      {c.detail && <small>{c.detail}</small>}
                      <FoundPartText part={c.found} />
                    </span>
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p className={classes.nothing} role="status">
          {all.length === 0 && (searching ? 'Searching…' : `Nothing matches “${query}”`)}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}
