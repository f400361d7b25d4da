/** A shared user-interface component that has a page under `/example`. */
export interface GalleryComponent {
  readonly name: string
  readonly title: string
  readonly group: 'fields' | 'dialogs' | 'states' | 'lists' | 'forms'
}

export const GALLERY_COMPONENTS: readonly GalleryComponent[] = [
  { name: 'date', title: 'Date', group: 'fields' },
  { name: 'date-time', title: 'Date and time', group: 'fields' },
  { name: 'date-range', title: 'Date range', group: 'fields' },
  { name: 'combobox', title: 'Combobox', group: 'fields' },
  { name: 'record', title: 'Record of another kind', group: 'fields' },
  { name: 'declared', title: 'Inputs from a declaration', group: 'fields' },
  { name: 'edit-in-place', title: 'Edit in place', group: 'fields' },
  { name: 'emergency-contacts', title: 'Emergency contacts', group: 'fields' },
  { name: 'image-cards', title: 'Image-card picker', group: 'fields' },
  { name: 'dialog', title: 'Dialog', group: 'dialogs' },
  { name: 'confirm', title: 'Confirmation', group: 'dialogs' },
  { name: 'help', title: 'Help', group: 'dialogs' },
  { name: 'snackbars', title: 'Snackbars and undo', group: 'dialogs' },
  { name: 'status', title: 'Status', group: 'states' },
  { name: 'time', title: 'Relative time', group: 'states' },
  { name: 'phone', title: 'Telephone and key caps', group: 'states' },
  { name: 'empty-and-failed', title: 'Empty, loading, failed, forbidden and offline states', group: 'states' },
  { name: 'access', title: 'Access blocked', group: 'states' },
  { name: 'list', title: 'List', group: 'lists' },
  { name: 'form', title: 'Form', group: 'lists' },
  { name: 'error-summary', title: 'Error summary', group: 'lists' },
  { name: 'schema-form', title: 'Form from a schema', group: 'forms' },
  { name: 'large-form', title: 'Form with eighty fields', group: 'forms' },
  { name: 'rich-text', title: 'Formatted text', group: 'forms' },
]

export const findGalleryComponent = (name: string | undefined): GalleryComponent | undefined =>
  GALLERY_COMPONENTS.find((p) => p.name === name)
