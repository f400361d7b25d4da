import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconBriefcase, IconKeyboard, IconLogout, IconMoon, IconPhone, IconSearch, IconSun } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { holds } from '#kernel/roles.ts'
import { openDialog, workAs } from './dialogs.ts'
import { useFound } from './found.ts'
import { iconOf } from './icons.ts'
import { mayWorkAs } from './MeMenu.tsx'
import { useActor, useMe } from './me.ts'
import { allWords } from './page-search.ts'
import { signOut } from './signing.ts'
import { usePages } from './Top.tsx'

const [store, spotlight] = createSpotlight()

/** Every screen, action, lead and client from one field. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const me = useMe()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 200)
  const staff = holds(actor, 'ROLE_STAFF')
  const { leads, clients, searching } = useFound(asked, { leads: staff && !me.isImpersonating, clients: mayWorkAs(me) })
  const pages = usePages()
    .filter(
      (p) => !p.open && !p.redirect && !p.path.includes(':') && p.path !== '*' && holds(actor, p.allow ?? 'member'),
    )
    .map((p) => ({ path: p.path, label: p.nav?.label ?? p.title, area: p.nav?.area, icon: p.nav?.icon ?? 'point' }))
    .filter((p) => allWords(query, `${p.label} ${p.area ?? ''}`))
  const actions = [
    ...(mayWorkAs(me) ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => workAs() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openDialog({ name: 'shortcuts' }) },
    { label: 'Light appearance', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark appearance', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => void signOut() },
  ].filter((a) => allWords(query, a.label))
  useEffect(() => {
    spotlight.open()
    return spotlight.close
  }, [])
  const nothing = pages.length + actions.length + leads.length + clients.length === 0
  // The palette closes before its action runs: an action may open another dialog.
  const then = (run: () => void) => () => {
    onClose()
    run()
  }
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      closeOnActionTrigger={false}
      shortcut={null}
      scrollable
      maxHeight={440}
      aria-label="Search or go to"
      transitionProps={{ duration: 0 }}
    >
      <Spotlight.Search
        placeholder={staff ? 'A screen, a lead, a client…' : 'A screen or action…'}
        aria-label="Search or go to"
        leftSection={<IconSearch size={20} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {leads.length > 0 && (
          <Spotlight.ActionsGroup label="Leads">
            {leads.map((l) => (
              <Spotlight.Action
                key={l.id}
                label={l.companyName || l.name || `Lead ${l.id}`}
                description={[l.companyName ? l.name : undefined, l.phone, l.city].filter(Boolean).join(', ')}
                leftSection={<IconPhone size={20} aria-hidden />}
                onClick={then(() => navigate(`/crm/contact/view/${l.id}`))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {clients.length > 0 && (
          <Spotlight.ActionsGroup label="Clients">
            {clients.map((c) => (
              <Spotlight.Action
                key={c.id}
                label={`Work as ${c.company}`}
                description={[c.city, c.contactname].filter(Boolean).join(', ')}
                leftSection={<IconBriefcase size={20} aria-hidden />}
                onClick={then(() => workAs({ id: c.id, company: c.company }))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Screens">
            {pages.map((p) => {
              const Icon = iconOf(p.icon)
              return (
                <Spotlight.Action
                  key={p.path}
                  label={p.label}
                  description={p.area}
                  leftSection={<Icon size={20} aria-hidden />}
                  onClick={then(() => navigate(p.path))}
                />
              )
            })}
          </Spotlight.ActionsGroup>
        )}
        {actions.length > 0 && (
          <Spotlight.ActionsGroup label="Actions">
            {actions.map(({ label, Icon, run }) => (
              <Spotlight.Action
                key={label}
                label={label}
                leftSection={<Icon size={20} aria-hidden />}
                onClick={then(run)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {nothing && <Spotlight.Empty>{searching ? 'Searching…' : `Nothing matches “${query}”`}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
