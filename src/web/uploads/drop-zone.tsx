import '@mantine/core/styles/LoadingOverlay.layer.css'
import { Dropzone } from '@mantine/dropzone'
import type { ReactNode } from 'react'
import css from './drop-zone.module.css'

interface Props {
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  readonly children: ReactNode
  readonly small?: boolean
}

/**
 * Drop area for files and folders. Its children offer other ways to add files. Files dropped outside the area are not
 * opened by the browser.
 */
export const DropZone = ({ label, onFiles, children, small = false }: Props) => (
  <Dropzone
    unstyled
    enablePointerEvents
    activateOnClick={false}
    activateOnKeyboard={false}
    role="region"
    aria-label={label}
    classNames={{ root: css.zone ?? '', inner: css.inside ?? '' }}
    onDrop={onFiles}
    mod={{ small }}
  >
    {children}
  </Dropzone>
)
