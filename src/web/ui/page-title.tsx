import { Title } from '@mantine/core'
import { createContext, type ReactNode, use } from 'react'
import { NamedIcon } from './icons.ts'
import css from './page-title.module.css'

/** The icon name for the kind of screen: set by the shell, drawn next to the page's heading in its area's colour. */
export const PageIconContext = createContext<string | undefined>(undefined)

/** The record pager shown next to a record's back link; set by the shell. */
export const RecordPagerContext = createContext<ReactNode>(null)

/** The only heading of a page, with the icon of its kind; the shell moves the focus to it after navigation. */
export function PageTitle({ children, ...rest }: { children: ReactNode; id?: string }) {
  const sign = use(PageIconContext)
  return (
    <Title order={1} tabIndex={-1} data-page-title className={css.title ?? ''} {...rest}>
      {sign && (
        <span className={css.sign} aria-hidden>
          <NamedIcon name={sign} size={24} stroke={1.75} />
        </span>
      )}
      <span className={css.words}>{children}</span>
    </Title>
  )
}
