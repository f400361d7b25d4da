import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconCopy, IconFile, IconFileDescription, IconFileImport, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { DocumentKind } from '../types/kind.ts'

/** The one thing to do on a list of documents: begin another, with nothing, with a template, a copy, or a record of another kind. */
export function NewMenu({ kind }: { readonly kind: DocumentKind }) {
  const create = `${kind.screens.update.replace(/\/update$/, '')}/create`
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          {`New ${kind.noun}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(kind.sources?.() ?? {}).map(([name, of]) => (
          <Menu.Item
            key={name}
            component={Link}
            to={`${create}?from=${name}`}
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            {`From a ${of.noun}`}
          </Menu.Item>
        ))}
        <Menu.Item
          component={Link}
          to={`${create}?from=template`}
          leftSection={<IconFileDescription size={16} aria-hidden />}
        >
          From a template
        </Menu.Item>
        <Menu.Item component={Link} to={`${create}?from=copy`} leftSection={<IconCopy size={16} aria-hidden />}>
          Copy of one of ours
        </Menu.Item>
        <Menu.Item component={Link} to={create} leftSection={<IconFile size={16} aria-hidden />}>
          Blank
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
