/** The change that each type of event makes to groups, folders, and what administrators set. */

/** Types of events that bring a whole new value: the field of the event, and that of the state. @type {Record<string, [string, string]>} */
const WHOLE = {
  alert_words: ["alert_words", "alert_words"],
  custom_profile_fields: ["fields", "custom_profile_fields"],
  default_streams: ["default_streams", "realm_default_streams"],
  muted_users: ["muted_users", "muted_users"],
  realm_linkifiers: ["realm_linkifiers", "realm_linkifiers"],
  realm_export: ["exports", "exports"],
};

/** @param {any[]} list @param {string} key @param {unknown} id @param {(one: any) => object} change */
const changed = (list, key, id, change) => list.map((one) => (one[key] === id ? { ...one, ...change(one) } : one));

/** @type {Record<string, (chat: Chat, event: any) => void>} */
export const ORGANIZATION_HANDLERS = {
  ...Object.fromEntries(
    Object.entries(WHOLE).map(([type, [from, into]]) => [
      type,
      (/** @type {Chat} */ chat, /** @type {any} */ event) => {
        chat.state[into] = event[from];
      },
    ]),
  ),

  invites_changed(chat) {
    chat.state.invites_version = (chat.state.invites_version ?? 0) + 1;
  },

  user_group(chat, { op, group, group_id, data, user_ids, direct_subgroup_ids }) {
    const change = (/** @type {(one: any) => object} */ how) => {
      chat.groups = changed(chat.groups, "id", group_id, how);
    };
    if (op === "add") chat.groups = [...chat.groups, group];
    if (op === "remove") chat.groups = chat.groups.filter((one) => one.id !== group_id);
    if (op === "update") change(() => data);
    if (op === "add_members") change((one) => ({ members: [...new Set([...one.members, ...user_ids])] }));
    if (op === "remove_members") change((one) => ({ members: without(one.members, user_ids) }));
    if (op === "add_subgroups") change((one) => ({ direct_subgroup_ids: [...new Set([...one.direct_subgroup_ids, ...direct_subgroup_ids])] }));
    if (op === "remove_subgroups") change((one) => ({ direct_subgroup_ids: without(one.direct_subgroup_ids, direct_subgroup_ids) }));
  },

  channel_folder({ state }, { op, channel_folder, channel_folder_id, data, order }) {
    if (op === "add") state.channel_folders = [...state.channel_folders, channel_folder];
    if (op === "update") state.channel_folders = changed(state.channel_folders, "id", channel_folder_id, () => data);
    if (op === "reorder") state.channel_folders = [...state.channel_folders].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  },

  realm_domains({ state }, { op, realm_domain, domain }) {
    const name = domain ?? realm_domain.domain;
    if (op === "add") state.realm_domains = [...state.realm_domains, realm_domain];
    if (op === "change") state.realm_domains = changed(state.realm_domains, "domain", name, () => realm_domain);
    if (op === "remove") state.realm_domains = state.realm_domains.filter((/** @type {any} */ one) => one.domain !== name);
  },
};

/** @param {number[]} ids @param {number[]} gone */
const without = (ids, gone) => ids.filter((id) => !gone.includes(id));
