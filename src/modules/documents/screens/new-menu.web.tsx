import { Button } from '@mantine/core'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { lazily } from '#web/ui/lazily.tsx'
import { WhenWanted } from '#web/ui/when-wanted.tsx'
import type { DocumentKind } from '../types/kind.ts'

const load = () => import('./new-menu-items.web.tsx')
const NewMenuItems = lazily(load)

/** The one thing to do on a list of documents: begin another, with nothing, with a template, a copy, or a record of another kind. */
export function NewMenu({ kind }: { readonly kind: DocumentKind }) {
  const button = (more: object) => (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      {...more}
    >
      {`New ${kind.noun}`}
    </Button>
  )
  return (
    <WhenWanted load={load} closed={button}>
      <NewMenuItems kind={kind} button={button} />
    </WhenWanted>
  )
}
