/** Where somebody new at the provider is made, in one step. */
export const NEW_STAFF = '/api/crm/staff/new'
