import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconCopy, IconFile, IconFileDescription, IconFileImport } from '@tabler/icons-react'
import type { ReactElement, Ref } from 'react'
import { Link } from 'react-router'
import { useOpenedMenu } from '#web/ui/overlays/use-opened-menu.ts'
import type { DocumentKind } from '../types/kind.ts'

interface Props {
  readonly kind: DocumentKind
  readonly button: (more: { readonly ref: Ref<HTMLButtonElement> }) => ReactElement
}

/** Menu with the options to start a document, already open when mounted. */
export default function StartDocumentMenu({ kind, button }: Props) {
  const { menu, button: ref } = useOpenedMenu()
  const create = `${kind.screens.update.replace(/\/update$/, '')}/create`
  return (
    <Menu {...menu} shadow="md" width={260}>
      <Menu.Target>{button({ ref })}</Menu.Target>
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
          Copy an existing document
        </Menu.Item>
        <Menu.Item component={Link} to={create} leftSection={<IconFile size={16} aria-hidden />}>
          Blank
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
